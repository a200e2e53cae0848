export interface DavTables {
  dav_lock: {
    token: string;
    account: string;
    node: string;
    exclusive: number;
    deep: number;
    /** XML of the client's `owner` element, or "". */
    owner: string;
    /** For how long a refresh holds. */
    seconds: number;
    expires_at: number;
  };
  /** Properties that mean something to clients only. */
  dav_property: {
    node: string;
    namespace: string;
    name: string;
    account: string;
    /** The whole element. */
    xml: string;
  };
  dav_closed: {
    account: string;
  };
}
