/** The parameters of an announce request. Ids in hexadecimal. */
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
  /** The interval before the next request. */
  readonly seconds: number | undefined;
  /** Addresses as `host:port`. */
  readonly peers: readonly string[];
}
