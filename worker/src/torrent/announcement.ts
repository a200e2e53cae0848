/** What a tracker is told. Ids in hexadecimal. */
export interface Announcement {
  readonly infoHash: string;
  readonly peerId: string;
  readonly port: number;
  readonly uploaded: number;
  readonly downloaded: number;
  readonly left: number;
  readonly event?: 'started' | 'stopped' | 'completed';
}

export interface Answer {
  /** How long it wants to be left alone. */
  readonly seconds: number | undefined;
  /** `host:port` each. */
  readonly peers: readonly string[];
}
