export interface ArchiveTables {
  archive_ticket: {
    id: string;
    account: string;
    share: string | null;
    passcode_version: number;
    selection: string;
    expires_at: number;
  };
}
