import { useState } from 'react';
import { LayoutGrid, Link2, List, RotateCcw, Trash2, X } from 'lucide-react';
import { splitName } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { FileTile } from '#app/ui/file-tile.tsx';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { Segmented } from '#app/ui/form/segmented.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { announce } from '#app/ui/live-region.tsx';
import { DemoPasscode } from './demo-passcode.tsx';
import { SAMPLE_FILES } from './sample-files.ts';

type SampleId = (typeof SAMPLE_FILES)[number]['id'];

/**
 * Miniature drive that behaves like the real one: select, switch the view, delete, undo. Used only on this
 * page.
 */
export function HomeDemo() {
  const t = useT();
  const format = useFormat();
  const [view, setView] = useState<'list' | 'grid'>('list');
  const [gone, setGone] = useState<readonly SampleId[]>([]);
  const [selected, setSelected] = useState<readonly SampleId[]>(['film', 'song']);
  const [justDeleted, setJustDeleted] = useState<readonly SampleId[]>([]);
  const [isShared, setShared] = useState(false);

  const things = SAMPLE_FILES.map((file) => ({ ...file, name: t(file.name) })).filter(
    ({ id }) => !gone.includes(id),
  );
  const chosen = things.filter(({ id }) => selected.includes(id));
  const toggle = (id: SampleId, on: boolean): void => {
    setShared(false);
    setJustDeleted([]);
    setSelected((before) => (on ? [...before, id] : before.filter((one) => one !== id)));
  };
  const remove = (): void => {
    setGone([...gone, ...selected]);
    setJustDeleted(selected);
    setSelected([]);
    announce(t('home.demo.deleted', { count: chosen.length }));
  };
  const undo = (): void => {
    setGone(gone.filter((id) => !justDeleted.includes(id)));
    setSelected(justDeleted);
    setJustDeleted([]);
  };

  return (
    <section
      aria-label={t('home.demo.label')}
      className="flex h-119 flex-col overflow-hidden rounded-[20px] border border-line bg-card shadow-float max-md:h-115"
    >
      <div className="flex items-center gap-3 py-3.5 pr-3.5 pl-5">
        <h2 className="min-w-0 flex-1 truncate text-16 font-semibold">{t('home.demo.folder')}</h2>
        <Segmented
          label={t('home.demo.view')}
          value={view}
          onChange={setView}
          iconOnly
          options={[
            { value: 'list', label: t('home.demo.list'), icon: <List className="size-4" /> },
            { value: 'grid', label: t('home.demo.grid'), icon: <LayoutGrid className="size-4" /> },
          ]}
        />
      </div>
      <ul
        className={cx(
          'min-h-0 flex-1 overflow-y-auto border-t border-line',
          view === 'grid' && 'grid auto-rows-min grid-cols-3 gap-2.5 p-3',
        )}
      >
        {things.map((thing) => {
          const isSelected = selected.includes(thing.id);
          return view === 'list' ? (
            <li
              key={thing.id}
              className={cx(
                'border-b border-line last:border-b-0',
                isSelected ? 'bg-blue-wash' : 'hover:bg-hover',
              )}
            >
              <Checkbox
                isSelected={isSelected}
                onChange={(on) => toggle(thing.id, on)}
                aria-label={thing.name}
                className="flex h-14 w-full cursor-pointer items-center px-5 [&>span:last-child]:min-w-0 [&>span:last-child]:flex-1"
              >
                <span className="flex items-center gap-3">
                  <FileTile category={thing.category} className={cx(isSelected && 'ring-1 ring-card')} />
                  <ShortName name={thing.name} />
                  <span className="text-13 text-ink-2 tabular-nums">{format.bytes(thing.size)}</span>
                </span>
              </Checkbox>
            </li>
          ) : (
            <li
              key={thing.id}
              className={cx(
                'relative rounded-card border',
                isSelected ? 'border-blue bg-blue-wash' : 'border-line hover:bg-hover',
              )}
            >
              <Checkbox
                isSelected={isSelected}
                onChange={(on) => toggle(thing.id, on)}
                aria-label={thing.name}
                className="block w-full cursor-pointer p-3 [&>span:first-child]:absolute [&>span:first-child]:top-3 [&>span:first-child]:right-3"
              >
                <FileTile category={thing.category} size={44} />
                <span className="mt-2.5 line-clamp-2 h-[2.9em] text-13 font-medium [overflow-wrap:anywhere]">
                  {thing.name}
                </span>
              </Checkbox>
            </li>
          );
        })}
        {things.length === 0 && (
          <li className="col-span-3 grid h-40 place-items-center px-6 text-center text-ink-2">
            {t('home.demo.empty')}
          </li>
        )}
      </ul>
      <div className="flex min-h-15 items-center gap-2 border-t border-line bg-card py-2.5 pr-2.5 pl-5">
        {isShared ? (
          <>
            <p className="min-w-0 flex-1 text-13 text-ink-2">
              {t.rich('home.demo.shared', {
                passcode: <DemoPasscode />,
              })}
            </p>
            <IconButton label={t('ui.close')} icon={<X />} onClick={() => setShared(false)} />
          </>
        ) : chosen.length > 0 ? (
          <>
            <p className="min-w-0 flex-1 truncate font-medium tabular-nums">
              {t('home.demo.selected', {
                count: chosen.length,
                size: format.bytes(chosen.reduce((sum, { size }) => sum + size, 0)),
              })}
            </p>
            <Button variant="plain" icon={<Link2 />} onClick={() => setShared(true)}>
              <span className="max-sm:sr-only">{t('home.demo.share')}</span>
            </Button>
            <Button
              variant="plain"
              icon={<Trash2 />}
              onClick={remove}
              className="text-danger hover:bg-danger-wash hover:text-danger"
            >
              <span className="max-sm:sr-only">{t('home.demo.delete')}</span>
            </Button>
          </>
        ) : justDeleted.length > 0 ? (
          <>
            <p className="min-w-0 flex-1">{t('home.demo.deleted', { count: justDeleted.length })}</p>
            <Button
              variant="plain"
              icon={<RotateCcw />}
              onClick={undo}
              className="text-blue-strong hover:bg-blue-wash hover:text-blue-strong"
            >
              {t('home.demo.undo')}
            </Button>
          </>
        ) : (
          <p className="flex-1 text-13 text-ink-3">{t('home.demo.hint')}</p>
        )}
      </div>
    </section>
  );
}

/** Shortens a name before its extension, which identifies the type. */
function ShortName({ name }: { name: string }) {
  const { stem, extension } = splitName(name);
  return (
    <span className="flex min-w-0 flex-1 font-medium">
      <span className="truncate">{stem}</span>
      <span className="shrink-0">{extension}</span>
    </span>
  );
}
