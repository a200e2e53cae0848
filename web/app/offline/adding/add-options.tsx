import { ChevronRight } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { Segmented } from '#app/ui/form/segmented.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import type { Priority } from '../transfers/use-transfer-actions.ts';
import type { OrderOptions } from './add-links.ts';

/** Options beside the links, as entered. */
export interface TypedOptions {
  readonly cookie: string;
  readonly referer: string;
  readonly userAgent: string;
  readonly priority: Priority;
  /** Value of a date-time field, in the user's own time zone. */
  readonly startAt: string;
}

export const NO_OPTIONS: TypedOptions = {
  cookie: '',
  referer: '',
  userAgent: '',
  priority: 'normal',
  startAt: '',
};

export function orderOptions(typed: TypedOptions): Pick<OrderOptions, 'headers' | 'priority' | 'startTime'> {
  const headers = { cookie: typed.cookie, referer: typed.referer, 'user-agent': typed.userAgent };
  const start = typed.startAt === '' ? undefined : new Date(typed.startAt);
  return {
    headers: Object.fromEntries(
      // A copied header includes its own name, and line breaks that are not part of its value.
      Object.entries(headers)
        .map(([name, value]) => [
          name,
          value
            .replace(/^\s*(?:cookie|referer|user-agent)\s*:/i, '')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        ])
        .filter(([, value]) => value !== ''),
    ) as Record<string, string>,
    priority: typed.priority,
    startTime: start && !Number.isNaN(start.getTime()) ? start.toISOString() : '',
  };
}

/** Collapsed options: needed by few, but important to them. */
export function AddOptions({
  options,
  onChange,
  isOpen,
}: {
  options: TypedOptions;
  onChange: (options: TypedOptions) => void;
  isOpen: boolean;
}) {
  const t = useT();
  const set = (change: Partial<TypedOptions>): void => onChange({ ...options, ...change });
  return (
    <details open={isOpen} className="group rounded-card border border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-card px-3 font-medium text-ink-2 hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 transition-transform group-open:rotate-90" aria-hidden="true" />
        {t('offline.options')}
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-3 pt-1 pb-4">
        <div className="grid gap-4 md:grid-cols-2">
          <div className="grid content-start gap-1.5">
            <span className="text-13 font-medium" aria-hidden="true">
              {t('offline.options.priority')}
            </span>
            <Segmented<Priority>
              label={t('offline.options.priority')}
              value={options.priority}
              onChange={(priority) => set({ priority })}
              options={(['high', 'normal', 'low'] as const).map((value) => ({
                value,
                label: t(`offline.priority.${value}`),
              }))}
              className="max-md:[&_span]:h-10! max-md:[&_span]:px-1!"
            />
          </div>
          <TextField
            label={t('offline.options.startAt')}
            type="datetime-local"
            value={options.startAt}
            onChange={(event) => set({ startAt: event.currentTarget.value })}
          />
        </div>
        <TextField
          label={t('offline.options.cookie')}
          hint={t('offline.options.cookieHint')}
          value={options.cookie}
          autoComplete="off"
          spellCheck={false}
          maxLength={8192}
          onChange={(event) => set({ cookie: event.currentTarget.value })}
        />
        <div className="grid gap-4 md:grid-cols-2">
          <TextField
            label={t('offline.options.referer')}
            value={options.referer}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={8192}
            onChange={(event) => set({ referer: event.currentTarget.value })}
          />
          <TextField
            label={t('offline.options.userAgent')}
            value={options.userAgent}
            autoComplete="off"
            spellCheck={false}
            maxLength={8192}
            onChange={(event) => set({ userAgent: event.currentTarget.value })}
          />
        </div>
      </div>
    </details>
  );
}
