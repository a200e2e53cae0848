import { Folder, History, LoaderCircle, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { formatSearch, ledgerApi, type FileCategory, type ReplyOf } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { KindIcon } from '#app/ui/kind-icon.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';

type Usage = ReplyOf<typeof ledgerApi.usage>;

/** Kinds as people think of them; the others are shown together. */
const KINDS = {
  image: ['image'],
  video: ['video'],
  audio: ['audio'],
  document: ['document', 'sheet', 'slides', 'pdf', 'text', 'book'],
  archive: ['archive'],
} as const satisfies Record<string, readonly FileCategory[]>;
type Kind = keyof typeof KINDS | 'other';

function kindOf(category: FileCategory): Kind {
  const known = Object.entries(KINDS).find(([, all]) => (all as readonly FileCategory[]).includes(category));
  return (known?.[0] as Kind | undefined) ?? 'other';
}

/** Address of the files of some categories. */
const filesOf = (types: readonly FileCategory[]): string =>
  `/drive/search?${new URLSearchParams({ q: formatSearch({ words: [], filters: { types: [...types] } }) })}`;

/** Sums by kind, largest first. */
function sumKinds(kinds: Usage['kinds']): { kind: Kind; bytes: number; files: number }[] {
  return Array.from(
    Map.groupBy(kinds, ({ category }) => kindOf(category)),
    ([kind, all]) => ({
      kind,
      bytes: all.reduce((sum, { bytes }) => sum + Number(bytes), 0),
      files: all.reduce((sum, { files }) => sum + files, 0),
    }),
  ).toSorted((a, b) => b.bytes - a.bytes);
}

/** Usage of the storage, by kind and by folder. Loaded after the page, because it takes a moment in a large drive. */
export function UsageCard({ limit: { limit, used } }: { limit: ReplyOf<typeof ledgerApi.limit> }) {
  const t = useT();
  const format = useFormat();
  const call = useCall();
  const errorText = useErrorText();
  const usage = useQuery({ queryKey: ['ledger', 'usage'], queryFn: () => call(ledgerApi.usage, {}) });
  return (
    <Card title={t('ledger.usage')} total={format.bytes(usage.data?.used ?? used)}>
      <p className="num -mt-3 mb-4 text-13 text-ink-2">
        {t('drive.storageUsed', { used: format.bytes(usage.data?.used ?? used), limit: format.bytes(limit) })}
      </p>
      {usage.data ? (
        <Breakdown usage={usage.data} />
      ) : usage.isError ? (
        <div role="alert" className="grid justify-items-start gap-3 text-13 text-ink-2">
          {errorText(usage.error)}
          <Button size="s" onClick={() => void usage.refetch()}>
            {t('ui.retry')}
          </Button>
        </div>
      ) : (
        <Skeleton className="h-50" />
      )}
      <p className="mt-5">
        <LocaleLink
          to="/drive/space"
          className="font-medium text-blue-strong underline-offset-2 hover:underline"
        >
          {t('space.open')}
        </LocaleLink>
      </p>
    </Card>
  );
}

function Breakdown({ usage }: { usage: Usage }) {
  const t = useT();
  const { folders, other_folders: others, root, trash, versions } = usage;
  const whole = Number(usage.used);
  if (whole === 0) return <p className="text-ink-2">{t('ledger.empty')}</p>;
  const amount = (bytes: string | number, files?: number) => ({ bytes: Number(bytes), files, whole });
  const kinds = sumKinds(usage.kinds);
  return (
    <div className="grid gap-5">
      <Group title={t('ledger.kinds')}>
        {kinds.map(({ kind, bytes, files }) => (
          <Row
            key={kind}
            icon={<KindIcon category={kind} size={18} />}
            name={t(`offline.kind.${kind}`)}
            href={kind === 'other' ? undefined : filesOf(KINDS[kind])}
            {...amount(bytes, files)}
          />
        ))}
        {trash.files > 0 && (
          <Row
            icon={<Trash2 aria-hidden="true" className="size-4.5" />}
            name={t('drive.trash')}
            href="/drive/trash"
            {...amount(trash.bytes, trash.files)}
          />
        )}
        {versions.files > 0 && (
          <Row
            icon={<History aria-hidden="true" className="size-4.5" />}
            name={t('ledger.versions')}
            {...amount(versions.bytes, versions.files)}
          />
        )}
        {Number(usage.rest) > 0 && (
          <Row
            icon={<LoaderCircle aria-hidden="true" className="size-4.5" />}
            name={t('ledger.rest')}
            {...amount(usage.rest)}
          />
        )}
      </Group>
      {folders.length > 0 && (
        <Group title={t('ledger.folders')}>
          {folders.map(({ id, name, bytes, files }) => (
            <Row
              key={id}
              icon={<Folder aria-hidden="true" className="size-4.5" />}
              name={shownName(name)}
              href={`/drive/space?folder=${id}`}
              {...amount(bytes, files)}
            />
          ))}
          {others.folders > 0 && others.files > 0 && (
            <Row
              icon={<Folder aria-hidden="true" className="size-4.5" />}
              name={t('ledger.otherFolders', { count: others.folders })}
              {...amount(others.bytes, others.files)}
            />
          )}
          {root.files > 0 && (
            <Row
              icon={<KindIcon category="other" size={18} />}
              name={t('ledger.root')}
              href="/drive/space"
              {...amount(root.bytes, root.files)}
            />
          )}
        </Group>
      )}
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-2 text-13 font-semibold text-ink-2">{title}</h3>
      <ul className="-mx-2 grid max-h-90 overflow-y-auto">{children}</ul>
    </div>
  );
}

/** One line: what it is, its share as a bar, its size, and the number of its files. */
function Row({
  icon,
  name,
  href,
  bytes,
  files,
  whole,
}: {
  icon: ReactNode;
  name: string;
  href?: string | undefined;
  bytes: number;
  files: number | undefined;
  whole: number;
}) {
  const t = useT();
  const format = useFormat();
  const content = (
    <>
      <span className="text-ink-2">{icon}</span>
      <span className="min-w-0 flex-1">
        <span className="flex justify-between gap-3">
          <span className="truncate">{name}</span>
          <span className="num shrink-0">{format.bytes(bytes)}</span>
        </span>
        <span className="mt-1.5 flex h-1.5 overflow-hidden rounded-full bg-line" aria-hidden="true">
          <span
            className="rounded-full bg-blue"
            style={{ width: `${Math.min(100, (bytes / whole) * 100)}%` }}
          />
        </span>
        {files !== undefined && (
          <span className="mt-1 block text-12 text-ink-3">{t('offline.files', { count: files })}</span>
        )}
      </span>
    </>
  );
  const look = 'flex min-h-11 items-center gap-3 rounded-control px-2 py-1.5';
  return (
    <li>
      {href === undefined ? (
        <span className={look}>{content}</span>
      ) : (
        <LocaleLink to={href} className={`${look} hover:bg-hover`}>
          {content}
        </LocaleLink>
      )}
    </li>
  );
}
