export interface DavTables {
  dav_lock: {
    token: string;
    account: string;
    node: string;
    exclusive: number;
    deep: number;
    /** XML of the client's `owner` element, or "". */
    owner: string;
    /** Duration of the lock after each refresh. */
    seconds: number;
    expires_at: number;
  };
  /** Properties with a meaning for clients only. */
  dav_property: {
    node: string;
    namespace: string;
    name: string;
    account: string;
    /** XML of the whole element. */
    xml: string;
  };
  dav_closed: {
    account: string;
  };
}
