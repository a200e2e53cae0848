/**
 * A request from the server to its worker process, over the channel between them: one picture of one file. The worker
 * first sends 'ready'.
 */
export interface ThumbnailOrder {
  readonly id: number;
  /** Key of the file's bytes in the storage, which both processes have open. */
  readonly source: string;
  /** Key under which the picture is kept. */
  readonly target: string;
  readonly kind: 'image' | 'video';
  /** Format of the file according to its name: a MIME type. */
  readonly mime: string;
  /** Maximum side length in pixels. Smaller pictures are not enlarged. */
  readonly box: number;
  /** If true, exactly a square with that side: larger pictures are cropped, smaller ones enlarged. */
  readonly square?: boolean;
}

/** The worker's answer to an order. `made: false` means that no picture can be made of these bytes. */
export interface ThumbnailDone {
  readonly id: number;
  readonly made: boolean;
  readonly reason?: string;
  /** True if the failure was in the storage, not in the file. */
  readonly later?: boolean;
}
