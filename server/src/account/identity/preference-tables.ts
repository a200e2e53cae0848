export interface PreferenceTables {
  preference: {
    account: string;
    name: string;
    value: string;
  };
}
