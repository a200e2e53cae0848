import { useEffect, useState } from 'react';
import { driveApi, isApiFailure, LIMITS, orderName, type Choice } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useLocale } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import type { DisplayMode } from '#app/node/index.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { keepRules, lastRules, NO_RULES, type RenameRules } from './rename-rules.ts';
import { RenameFields } from './rename-fields.tsx';
import { RenamePreview } from './rename-preview.tsx';
import { useNewNames } from './use-new-names.ts';
import type { PlacedRenaming } from './use-rename-many.ts';

/** Items to rename: some, or everything in a folder except some. */
export type RenameSubject =
  | { readonly ids: readonly string[] }
  | { readonly folderId: string; readonly except: readonly string[] };

export interface RenameDialogProps {
  readonly subject: RenameSubject;
  readonly mode: Pick<DisplayMode, 'order' | 'pinFoldersTop'>;
  readonly onRename: (renamings: readonly PlacedRenaming[]) => void;
  readonly onClose: () => void;
}

/** Dialog that renames several items by rules, with a preview. Loaded on demand. */
export default function RenameDialog({ subject, mode, onRename, onClose }: RenameDialogProps) {
  const t = useT();
  const locale = useLocale();
  const call = useCall();
  const errorText = useErrorText();
  const [rules, setRules] = useState<RenameRules>(lastRules);
  const [items, setItems] = useState<readonly Choice[]>();
  const [failure, setFailure] = useState<string>();
  const isEverything = 'folderId' in subject && subject.except.length === 0;
  const preview = useNewNames(items, rules, locale, isEverything);

  useEffect(() => {
    let isGone = false;
    const tooMany = t('drive.rename.tooMany', { count: LIMITS.renames });
    async function load(): Promise<void> {
      const which =
        'ids' in subject
          ? { ids: [...subject.ids] }
          : { parent_id: subject.folderId, except_ids: [...subject.except] };
      if ('ids' in subject && subject.ids.length > LIMITS.renames) throw new Error(tooMany);
      const order = { order: orderName(mode.order), folders_first: String(mode.pinFoldersTop) };
      const found: Choice[] = [];
      for (let token = ''; ;) {
        const page = await call(driveApi.select, { body: { ...which, ...order, page_token: token } });
        found.push(...page.items);
        token = page.next_page_token;
        if (found.length > LIMITS.renames || (found.length === LIMITS.renames && token !== ''))
          throw new Error(tooMany);
        if (token === '') break;
      }
      if (!isGone) setItems(found);
    }
    load().catch((error: unknown) => {
      if (isGone) return;
      setFailure(isApiFailure(error) || !(error instanceof Error) ? errorText(error) : error.message);
    });
    return () => {
      isGone = true;
    };
    // The dialog is opened for one subject.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const { last } = preview;
  const troubles = last?.troubles.size ?? 0;
  const count = (last?.changed ?? 0) - troubles;
  // Not by the names of rules that were changed a moment ago.
  const isReady = preview.state === 'ready' && preview.rules === rules && troubles === 0 && count > 0;
  const rename = (): void => {
    if (!items || !last || !isReady) return;
    keepRules(rules);
    onRename(
      items.flatMap(({ id, name, parent_id: folder }, at) =>
        last.names[at] === name ? [] : [{ id, folder, from: name, to: last.names[at]! }],
      ),
    );
  };

  return (
    <Dialog
      isOpen
      holdsWork
      size="xl"
      onClose={onClose}
      title={t('drive.rename.title', { count: items?.length ?? ('ids' in subject ? subject.ids.length : 0) })}
      footer={
        <>
          <Button variant="plain" className="mr-auto" onClick={() => setRules(NO_RULES)}>
            {t('drive.rename.reset')}
          </Button>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" form="rename-rules" disabled={!isReady}>
            {t('drive.rename.confirm', { count: Math.max(0, count) })}
          </Button>
        </>
      }
    >
      {failure === undefined ? (
        <div className="grid gap-6 md:grid-cols-[320px_minmax(0,1fr)]">
          <form
            id="rename-rules"
            className="grid content-start gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              rename();
            }}
          >
            <RenameFields
              rules={rules}
              problem={preview.state === 'invalid' || preview.state === 'slow' ? preview.state : undefined}
              onChange={(change) => setRules({ ...rules, ...change })}
            />
          </form>
          <RenamePreview items={items} preview={preview} />
        </div>
      ) : (
        <p role="alert" className="text-danger">
          {failure}
        </p>
      )}
    </Dialog>
  );
}
