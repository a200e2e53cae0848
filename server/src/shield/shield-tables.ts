export interface ShieldTables {
  throttle: {
    key: string;
    failures: number;
    blocked_until: number;
    forget_at: number;
  };
}
