/** What the server asks of its worker process over the channel between them: one picture of one file. The worker says 'ready' first. */
export interface ThumbnailOrder {
  readonly id: number;
  /** Key of the file's bytes in the storage that both have open. */
  readonly source: string;
  /** Key under which the picture is kept. */
  readonly target: string;
  readonly kind: 'image' | 'video';
  /** Name of the file's format as far as its name tells: a MIME type. */
  readonly mime: string;
  /** Longest side, in pixels. Smaller pictures are not enlarged. */
  readonly box: number;
  /** Exactly a square of that side: what is longer is cut, what is smaller enlarged. */
  readonly square?: boolean;
}

/** The worker's word on an order. `made: false` says that no picture can be made of these bytes. */
export interface ThumbnailDone {
  readonly id: number;
  readonly made: boolean;
  readonly reason?: string;
  /** The storage was in the way, not the file. */
  readonly later?: boolean;
}
