import type { ReactNode } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { categoryOf, type Task } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useFormat } from '#app/i18n/format.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { FileTile } from '#app/ui/file-tile.tsx';
import { Meter } from '#app/ui/meter.tsx';
import { allOf, listQuery, type TaskPage } from './transfer-cache.ts';

const MOST = 3;

/**
 * First running transfers, in a frame of the page; nothing if there are none. `initial` is their first page, if the
 * server has loaded it.
 */
export function RunningTransfers({
  initial,
  frame,
}: {
  initial: TaskPage | undefined;
  frame: (list: ReactNode) => ReactNode;
}) {
  const call = useCall();
  const { data } = useInfiniteQuery({
    ...listQuery(call, 'running'),
    ...(initial ? { initialData: { pages: [initial], pageParams: [''] } } : {}),
  });
  const tasks = allOf(data);
  return tasks.length > 0 ? frame(<List tasks={tasks.slice(0, MOST)} />) : null;
}

function List({ tasks }: { tasks: readonly Task[] }) {
  const format = useFormat();
  return (
    <ul className="grid gap-2 px-(--inset)">
      {tasks.map(({ id, file_name: file, name, progress }) => {
        const shown = shownName(file || name);
        return (
          <li
            key={id}
            className="flex items-center gap-3 rounded-card border border-line bg-card px-3 py-2.5"
          >
            <FileTile category={categoryOf(file || name)} size={32} />
            <span className="grid min-w-0 flex-1 gap-1.5">
              <bdi className="truncate text-13 font-medium">{shown}</bdi>
              <Meter progress value={progress / 100} label={shown} />
            </span>
            <span className="text-12 text-ink-3 tabular-nums">{format.percent(progress / 100)}</span>
          </li>
        );
      })}
    </ul>
  );
}
