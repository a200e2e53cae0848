import type { Phase, TaskType } from '@bowerbird/contract';

export interface TaskTables {
  task: {
    id: string;
    account: string;
    type: TaskType;
    phase: Phase;
    progress: number;
    name: string;
    file_id: string;
    file_name: string;
    file_size: number;
    message: string;
    error: string | null;
    params: string;
    state: string;
    request_key: string | null;
    cancelled_at: number | null;
    created_at: number;
    updated_at: number;
    finished_at: number | null;
  };
}
