import { lazy, type ReactNode, Suspense } from 'react';
import { Files } from 'lucide-react';
import type { File } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { KindIcon } from '#app/ui/kind-icon.tsx';
import { Picture } from './entry-parts.tsx';
import { bytesOf, isFolder, kindOf, secondsOf } from './file-facts.ts';
import type { BarAction } from './selection-bar.tsx';
import { useAmountText, useContentsText } from './use-amount-text.ts';
import type { Selecting } from './entries/use-selecting.ts';
import { shownName } from './name/shown-name.ts';
import { typeName } from './type-name.ts';

/** Loaded when the details of the first picture are shown. */
const PictureDetails = lazy(() => import('./picture/picture-details.tsx'));

export interface FileDetailsProps {
  readonly file: File;
  /** Link to the folder that contains it. */
  readonly location?: ReactNode;
  readonly owner?: ReactNode;
  /** More facts, as `[label, value]`. */
  readonly more?: readonly (readonly [string, ReactNode])[];
  /** Below the facts: shared links, actions. */
  readonly children?: ReactNode;
}

/** Facts about a file or folder, for the details panel. */
export function FileDetails({ file, location, owner, more = [], children }: FileDetailsProps) {
  const t = useT();
  const format = useFormat();
  const size = bytesOf(file);
  const contentsText = useContentsText();
  const seconds = secondsOf(file);
  const [width, height] = pixelsOf(file);
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('node.details.type'), typeName(file, t)],
    [t('node.details.size'), size === undefined ? undefined : sizeInFull(size, format, t)],
    [t('node.details.contents'), isFolder(file) ? contentsText([file]) : undefined],
    [t('node.details.duration'), seconds === undefined ? undefined : format.duration(seconds)],
    [t('node.details.dimensions'), width === undefined ? undefined : `${width} × ${height}`],
    [t('node.details.location'), location],
    [t('node.details.owner'), owner],
    [t('node.details.created'), <DateTime key="created" at={file.created_time} withFull />],
    [t('node.details.modified'), <DateTime key="modified" at={file.modified_time} withFull />],
    [
      t('node.details.deleted'),
      file.trashed && file.delete_time !== '' ? (
        <DateTime key="deleted" at={file.delete_time} withFull />
      ) : undefined,
    ],
    ...more,
    [t('node.details.hash'), file.hash === '' ? undefined : <Hash text={file.hash} />],
  ];
  return (
    <div className="grid gap-5 p-5">
      <div className="relative aspect-[16/10] overflow-hidden rounded-card border border-line">
        <Picture file={file} fit="contain" />
      </div>
      <h2 className="text-16 font-semibold [overflow-wrap:anywhere]">
        <bdi>{shownName(file.name)}</bdi>
      </h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2.5 text-13">
        {facts.map(
          ([label, value]) =>
            value !== undefined && (
              <div key={label} className="contents">
                <dt className="text-ink-3">{label}</dt>
                <dd className="text-end [overflow-wrap:anywhere] tabular-nums">{value}</dd>
              </div>
            ),
        )}
        {kindOf(file) === 'image' && (
          <Suspense>
            <PictureDetails file={file} />
          </Suspense>
        )}
      </dl>
      {children}
    </div>
  );
}

/** Details of several selected entries: number, size, kinds and actions. */
export function SelectionDetails({
  selecting,
  files,
  actions,
}: {
  selecting: Selecting;
  /** Selected entries, if all of them are known. */
  files: readonly File[] | undefined;
  actions: readonly BarAction[];
}) {
  const t = useT();
  const format = useFormat();
  const amountText = useAmountText();
  const contentsText = useContentsText();
  const contents = files?.some(isFolder) ? contentsText(files) : undefined;
  const kinds = files && [...Map.groupBy(files, kindOf)].toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <div className="grid gap-6 p-5">
      <div className="grid justify-items-center gap-2 text-center">
        <span className="mt-4 mb-2 grid size-20 place-items-center rounded-dialog bg-blue-wash text-blue">
          <Files aria-hidden="true" className="size-9" />
        </span>
        <h2 className="text-16 font-semibold tabular-nums">
          {t('node.selected', { count: selecting.count })}
        </h2>
        {selecting.amount && <p className="text-ink-2 tabular-nums">{amountText(selecting.amount)}</p>}
        {contents !== undefined && <p className="text-13 text-ink-3 tabular-nums">{contents}</p>}
      </div>
      {kinds && (
        <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2.5 text-13">
          {kinds.map(([kind, some]) => (
            <div key={kind} className="contents">
              <dt className="flex items-center gap-2 text-ink-2">
                <span className={`kind kind-${kind} bg-transparent!`}>
                  <KindIcon category={kind} size={18} />
                </span>
                {t.find(`node.kind.${kind}`)}
              </dt>
              <dd className="text-end tabular-nums">{format.number(some.length)}</dd>
            </div>
          ))}
        </dl>
      )}
      <ul className="grid gap-0.5 border-t border-line pt-3">
        {actions.map(({ id, label, icon, run, isDanger, isDisabled }) => (
          <li key={id}>
            <button
              type="button"
              onClick={run}
              disabled={isDisabled}
              className={cx(
                'flex h-10 w-full items-center gap-3 rounded-control px-3 text-start font-medium hover:bg-hover disabled:opacity-45 max-md:h-11',
                isDanger && 'text-danger',
              )}
            >
              {icon}
              {label}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Hash({ text }: { text: string }) {
  return <code className="font-mono text-12 break-all select-all">{text}</code>;
}

function sizeInFull(size: number, format: ReturnType<typeof useFormat>, t: ReturnType<typeof useT>): string {
  return size < 1024
    ? format.bytes(size)
    : `${format.bytes(size)} (${t('node.details.bytes', { count: size })})`;
}

function pixelsOf(file: File): [number, number] | [undefined, undefined] {
  const facts = file.medias[0]?.video;
  const [width, height] = [
    Number(facts?.['width'] ?? file.params['width']),
    Number(facts?.['height'] ?? file.params['height']),
  ];
  return width > 0 && height > 0 ? [width, height] : [undefined, undefined];
}
