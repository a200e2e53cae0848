export interface SiteTables {
  setting: {
    name: string;
    value: string;
    updated_at: number;
  };
}
