export interface SiteTables {
  setting: {
    name: string;
    value: string;
    updated_at: number;
  };
  happening: {
    /** 2026-11-28, in UTC. */
    day: string;
    name: string;
    detail: string;
    count: number;
  };
}
