import type { ReactNode } from 'react';
import { ChevronRight } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { Select } from '#app/ui/form/select.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import type { Place, RenameRules } from './rename-rules.ts';

const MOST = 255;
const MOST_NUMBER = 999_999_999;

/** Fields of the rules, in the order in which they are applied. Groups that do something are open at first. */
export function RenameFields({
  rules,
  problem,
  onChange,
}: {
  rules: RenameRules;
  /** Trouble with the regular expression. */
  problem: 'invalid' | 'slow' | undefined;
  onChange: (change: Partial<RenameRules>) => void;
}) {
  const t = useT();
  const ends = [
    { value: 'start', label: t('drive.rename.fromStart') },
    { value: 'end', label: t('drive.rename.fromEnd') },
  ] as const;
  const places: { value: Place; label: string }[] = [
    { value: 'none', label: t('drive.rename.place.none') },
    { value: 'before', label: t('drive.rename.place.before') },
    { value: 'after', label: t('drive.rename.place.after') },
    { value: 'replace', label: t('drive.rename.place.replace') },
  ];
  const separator = (
    <TextField
      label={t('drive.rename.separator')}
      value={rules.separator}
      maxLength={10}
      onChange={(event) => onChange({ separator: event.currentTarget.value })}
    />
  );
  return (
    <>
      <Group title={t('drive.rename.replace')} isActive={rules.find !== ''} isFirst>
        <TextField
          label={t('drive.rename.find')}
          value={rules.find}
          maxLength={MOST}
          autoComplete="off"
          spellCheck={false}
          error={
            problem === undefined
              ? undefined
              : problem === 'invalid'
                ? t('drive.rename.invalid')
                : t('drive.rename.slow')
          }
          onChange={(event) => onChange({ find: event.currentTarget.value })}
        />
        <TextField
          label={t('drive.rename.with')}
          value={rules.replacement}
          maxLength={MOST}
          autoComplete="off"
          spellCheck={false}
          hint={rules.isRegex ? t('drive.rename.groups') : undefined}
          onChange={(event) => onChange({ replacement: event.currentTarget.value })}
        />
        <Checkbox isSelected={rules.matchesCase} onChange={(matchesCase) => onChange({ matchesCase })}>
          {t('drive.rename.matchCase')}
        </Checkbox>
        <Checkbox isSelected={rules.isRegex} onChange={(isRegex) => onChange({ isRegex })}>
          {t('drive.rename.regex')}
        </Checkbox>
        <Checkbox isSelected={rules.inExtension} onChange={(inExtension) => onChange({ inExtension })}>
          {t('drive.rename.inExtension')}
        </Checkbox>
      </Group>
      <Group title={t('drive.rename.remove')} isActive={rules.removeCount > 0}>
        <div className="grid grid-cols-2 gap-3">
          <NumberField
            label={t('drive.rename.characters')}
            value={rules.removeCount}
            onChange={(removeCount) => onChange({ removeCount })}
          />
          <NumberField
            label={t('drive.rename.position')}
            value={rules.removeAt}
            onChange={(removeAt) => onChange({ removeAt })}
          />
        </div>
        <Select
          label={t('drive.rename.counted')}
          value={rules.removeFromEnd ? 'end' : 'start'}
          options={ends}
          onChange={(end) => onChange({ removeFromEnd: end === 'end' })}
        />
      </Group>
      <Group title={t('drive.rename.insert')} isActive={rules.insert !== ''}>
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label={t('drive.rename.text')}
            value={rules.insert}
            maxLength={MOST}
            autoComplete="off"
            onChange={(event) => onChange({ insert: event.currentTarget.value })}
          />
          <NumberField
            label={t('drive.rename.position')}
            value={rules.insertAt}
            onChange={(insertAt) => onChange({ insertAt })}
          />
        </div>
        <Select
          label={t('drive.rename.counted')}
          value={rules.insertFromEnd ? 'end' : 'start'}
          options={ends}
          onChange={(end) => onChange({ insertFromEnd: end === 'end' })}
        />
      </Group>
      <Group title={t('drive.rename.letters')} isActive={rules.letters !== 'keep'}>
        <Select
          label={t('drive.rename.letters')}
          hideLabel
          value={rules.letters}
          options={[
            { value: 'keep', label: t('drive.rename.keep') },
            { value: 'lower', label: t('drive.rename.lower') },
            { value: 'upper', label: t('drive.rename.upper') },
            { value: 'title', label: t('drive.rename.titleCase') },
            { value: 'sentence', label: t('drive.rename.sentence') },
          ]}
          onChange={(letters) => onChange({ letters })}
        />
      </Group>
      <Group title={t('drive.rename.date')} isActive={rules.date !== 'none'}>
        <Select
          label={t('drive.rename.place')}
          value={rules.date}
          options={places}
          onChange={(date) => onChange({ date })}
        />
        {separator}
      </Group>
      <Group title={t('drive.rename.number')} isActive={rules.number !== 'none'}>
        <Select
          label={t('drive.rename.place')}
          hint={t('drive.rename.numberHint')}
          value={rules.number}
          options={places}
          onChange={(number) => onChange({ number })}
        />
        <div className="grid grid-cols-3 gap-3">
          <NumberField
            label={t('drive.rename.start')}
            value={rules.start}
            onChange={(start) => onChange({ start })}
          />
          <NumberField
            label={t('drive.rename.step')}
            value={rules.step}
            onChange={(step) => onChange({ step })}
          />
          <NumberField
            label={t('drive.rename.digits')}
            value={rules.digits}
            most={20}
            onChange={(digits) => onChange({ digits })}
          />
        </div>
        {separator}
      </Group>
      <Group title={t('drive.rename.extension')} isActive={rules.extension !== 'keep'}>
        <Select
          label={t('drive.rename.extension')}
          hideLabel
          value={rules.extension}
          options={[
            { value: 'keep', label: t('drive.rename.keep') },
            { value: 'lower', label: t('drive.rename.lower') },
            { value: 'upper', label: t('drive.rename.upper') },
            { value: 'change', label: t('drive.rename.change') },
          ]}
          onChange={(extension) => onChange({ extension })}
        />
        {rules.extension === 'change' && (
          <TextField
            label={t('drive.rename.newExtension')}
            hint={t('drive.rename.extensionHint')}
            value={rules.newExtension}
            maxLength={16}
            autoComplete="off"
            autoCapitalize="none"
            onChange={(event) => onChange({ newExtension: event.currentTarget.value })}
          />
        )}
      </Group>
      <Group title={t('drive.rename.clean')} isActive={rules.cleans}>
        <Checkbox isSelected={rules.cleans} onChange={(cleans) => onChange({ cleans })}>
          {t('drive.rename.cleanText')}
        </Checkbox>
      </Group>
    </>
  );
}

function Group({
  title,
  isActive,
  isFirst = false,
  children,
}: {
  title: string;
  isActive: boolean;
  isFirst?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={isFirst || isActive || undefined} className="group rounded-card border border-line">
      <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 rounded-card px-3 font-medium max-md:min-h-11 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 text-ink-3 transition-transform group-open:rotate-90"
          aria-hidden="true"
        />
        <span className="flex-1">{title}</span>
        {isActive && <span aria-hidden="true" className="size-2 rounded-full bg-blue" />}
      </summary>
      <div className="grid gap-3 px-3 pt-1 pb-3">{children}</div>
    </details>
  );
}

function NumberField({
  label,
  value,
  most = MOST_NUMBER,
  onChange,
}: {
  label: string;
  value: number;
  most?: number;
  onChange: (value: number) => void;
}) {
  return (
    <TextField
      label={label}
      type="number"
      inputMode="numeric"
      min={0}
      max={most}
      step={1}
      value={String(value)}
      onChange={(event) => {
        const given = Math.trunc(Number(event.currentTarget.value));
        onChange(Number.isFinite(given) ? Math.min(most, Math.max(0, given)) : 0);
      }}
    />
  );
}
