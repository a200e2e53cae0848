export interface ToastContent {
  text: string;
  action?: { label: string; run: () => void };
  tone?: 'neutral' | 'success' | 'danger';
}

export interface Toast extends ToastContent {
  readonly id: number;
}
