import { useQuery } from '@tanstack/react-query';
import type { File } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { kindOf } from './file-facts.ts';
import { usePlayMemory, type PlayMemory } from './preview/play-memory.tsx';

const FRESH_MS = 60_000;

/** Bar on the picture of a video that was begun or watched, where the page knows that. */
export function PlayedBar({ file, className }: { file: File; className: string }) {
  const memory = usePlayMemory();
  if (!memory || kindOf(file) !== 'video') return null;
  return <Bar id={file.id} memory={memory} className={className} />;
}

function Bar({ id, memory, className }: { id: string; memory: PlayMemory; className: string }) {
  const t = useT();
  const format = useFormat();
  const { data: part = 0 } = useQuery({ ...memory.partOf(id), staleTime: FRESH_MS });
  if (part === 0) return null;
  return (
    <span
      role="img"
      aria-label={t('node.watched', { percent: format.percent(part) })}
      className={cx('overflow-hidden bg-black/55', className)}
    >
      <span className="block h-full bg-blue" style={{ width: `${part * 100}%` }} />
    </span>
  );
}
