import { driveApi, isApiFailure, type ApiCall, type ErrorId } from '@bowerbird/contract';
import type { Priority } from '../transfers/use-transfer-actions.ts';

/** Link to download. */
export interface Order {
  readonly key: string;
  readonly url: string;
  /** Only for a torrent; `undefined` for all of its files. */
  readonly files: readonly number[] | undefined;
}

/** Options shared by all links of one submission. */
export interface OrderOptions {
  /** `undefined` for the default folder of cloud downloads. */
  readonly folderId: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly priority: Priority;
  /** "" to start at once. */
  readonly startTime: string;
  readonly from: 'manual' | 'file' | 'home_recent';
}

export interface Ordered {
  /** Ids of the created tasks, in the order of the links. */
  readonly tasks: readonly string[];
  readonly failures: ReadonlyMap<string, unknown>;
}

const AT_ONCE = 4;
/** Errors after which no other link has a better chance. */
const ENDS_ALL: ReadonlySet<ErrorId> = new Set([
  'task_daily_create_limit',
  'task_daily_create_limit_vip',
  'task_traffic_limit',
  'traffic_offline_limit',
  'task_run_nums_limit',
  'file_space_not_enough',
  'unauthenticated',
]);

/**
 * Creates a task for each link, a few in parallel; a refused link does not delay the others. `keyOf` identifies
 * each link's attempt, so that a retry after a lost response does not download twice.
 */
export async function orderAll(
  call: ApiCall,
  orders: readonly Order[],
  options: OrderOptions,
  { keyOf, onDone }: { keyOf: (order: Order) => string; onDone: (count: number) => void },
): Promise<Ordered> {
  const made: (string | undefined)[] = orders.map(() => undefined);
  const failures = new Map<string, unknown>();
  let hopeless: unknown;
  let next = 0;
  let done = 0;

  const work = async (): Promise<void> => {
    while (next < orders.length) {
      const at = next;
      next += 1;
      const order = orders[at]!;
      try {
        if (hopeless) throw hopeless;
        made[at] = await orderOne(call, order, options, keyOf(order));
      } catch (error) {
        failures.set(order.key, error);
        if (isApiFailure(error) && ENDS_ALL.has(error.id)) hopeless = error;
      }
      done += 1;
      onDone(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { tasks: made.filter((id) => id !== undefined), failures };
}

async function orderOne(
  call: ApiCall,
  { url, files }: Order,
  { folderId, headers, priority, startTime, from }: OrderOptions,
  idempotencyKey: string,
): Promise<string | undefined> {
  const reply = await call(
    driveApi.create,
    {
      body: {
        kind: 'drive#file',
        upload_type: 'UPLOAD_TYPE_URL',
        parent_id: folderId ?? '',
        folder_type: folderId === undefined ? 'DOWNLOAD' : '',
        params: { from, with_thumbnail: 'true' },
        url: {
          url,
          ...(files === undefined ? {} : { files: [...files] }),
          ...(Object.keys(headers).length > 0 ? { headers: { ...headers } } : {}),
          ...(startTime === '' ? {} : { start_time: startTime }),
          ...(priority === 'normal' ? {} : { priority }),
        },
      },
    },
    { idempotencyKey },
  );
  return reply.task?.id;
}
