/** A request from the server to its worker process, over the channel between them: one picture of one file. The worker sends 'ready' first. */
export interface ThumbnailOrder {
  readonly id: number;
  /** Key of the file's bytes in the storage that both have open. */
  readonly source: string;
  /** Key under which the picture is kept. */
  readonly target: string;
  readonly kind: 'image' | 'video';
  /** Format of the file according to its name: a MIME type. */
  readonly mime: string;
  /** Longest side, in pixels. Smaller pictures are not enlarged. */
  readonly box: number;
  /** Exactly a square of that side: larger pictures are cropped, smaller ones enlarged. */
  readonly square?: boolean;
}

/** The worker's answer to an order. `made: false` means that no picture can be made of these bytes. */
export interface ThumbnailDone {
  readonly id: number;
  readonly made: boolean;
  readonly reason?: string;
  /** True if the storage failed, not the file. */
  readonly later?: boolean;
}
