export interface ShieldTables {
  throttle: {
    key: string;
    failures: number;
    blocked_until: number;
    forget_at: number;
  };
  captcha_spent: {
    id: string;
    expires_at: number;
  };
}
