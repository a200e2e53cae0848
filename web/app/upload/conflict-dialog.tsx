import { useState } from 'react';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Dotted } from '#app/ui/dotted.tsx';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import type { ConflictChoice } from './upload-item.ts';
import type { Conflict, ConflictAnswer, Version } from './name-choices.ts';

/** Asks how to handle a name that is taken: keep both, replace (files) or merge (folders), skip. */
export function ConflictDialog({
  conflict,
  onAnswer,
}: {
  conflict: Conflict;
  onAnswer: (answer: ConflictAnswer | null) => void;
}) {
  const t = useT();
  const name = <bdi>{shownName(conflict.name)}</bdi>;
  const [forAll, setForAll] = useState(false);
  const answer = (choice: ConflictChoice): void => onAnswer({ choice, forAll });
  return (
    <Dialog
      isOpen
      compact
      onClose={() => onAnswer(null)}
      title={t('upload.conflict.title')}
      footer={
        <>
          <Button variant="plain" onClick={() => answer('skip')}>
            {t('upload.conflict.skip')}
          </Button>
          <Button onClick={() => answer('replace')}>
            {conflict.isFolder ? t('upload.conflict.merge') : t('upload.conflict.replace')}
          </Button>
          <Button variant="primary" data-initial-focus onClick={() => answer('rename')}>
            {t('upload.conflict.keepBoth')}
          </Button>
        </>
      }
    >
      <p className="[overflow-wrap:anywhere]">
        {conflict.isFolder
          ? t.rich('upload.conflict.folder', { name })
          : t.rich('upload.conflict.file', { name })}
      </p>
      {conflict.versions && (
        <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 rounded-card border border-line px-4 py-3">
          <VersionLine label={t('upload.conflict.present')} version={conflict.versions.present} />
          <VersionLine label={t('upload.conflict.coming')} version={conflict.versions.coming} />
        </dl>
      )}
      {!conflict.isFolder && <p className="mt-3 text-13 text-ink-2">{t('upload.conflict.stays')}</p>}
      {conflict.more > 0 && (
        <div className="mt-4">
          <Checkbox isSelected={forAll} onChange={setForAll}>
            {t('upload.conflict.forAll', { count: conflict.more })}
          </Checkbox>
        </div>
      )}
    </Dialog>
  );
}

function VersionLine({ label, version }: { label: string; version: Version }) {
  const format = useFormat();
  return (
    <>
      <dt className="text-ink-3">{label}</dt>
      <dd className="text-end tabular-nums">
        <Dotted
          facts={[
            format.bytes(version.size),
            <DateTime key="modified" at={new Date(version.modified).toISOString()} />,
          ]}
        />
      </dd>
    </>
  );
}
