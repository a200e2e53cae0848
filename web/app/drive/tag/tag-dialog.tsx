import { useState, type FormEvent } from 'react';
import { Plus } from 'lucide-react';
import { LIMITS, type File, type Tag } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { nextColor, useTags } from './tag-data.ts';
import { TagDot } from './tag-dot.tsx';
import { useTagging, type TagChange } from './use-tagging.ts';

const FORM = 'tag-form';
const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/gu, ' ').trim().toLowerCase();

/** Dialog with the tags of some items. Typing finds a tag, or creates one. */
export default function TagDialog({
  ids,
  files,
  onMark,
  onClose,
}: {
  ids: readonly string[];
  /** Loaded ones among the items. */
  files: readonly File[];
  onMark: (change: TagChange) => void;
  onClose: () => void;
}) {
  const t = useT();
  const tags = useTags();
  const { create } = useTagging();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const wanted = folded(text);
  const shown = tags.filter(({ name }) => folded(name).includes(wanted));
  const same = shown.find(({ name }) => folded(name) === wanted);
  const stateOf = ({ id }: Tag): boolean | 'some' => {
    const own = chosen.get(id);
    if (own !== undefined) return own;
    const having = files.filter(({ tag_ids: its }) => its?.includes(id)).length;
    return having === 0 ? false : having < ids.length ? 'some' : true;
  };
  const choose = (id: string, isOn: boolean): void => setChosen((known) => new Map(known).set(id, isOn));

  async function add(): Promise<string | undefined> {
    setBusy(true);
    const made = await create(text, nextColor(tags));
    setBusy(false);
    if ('error' in made) {
      setError(made.error);
      return undefined;
    }
    setText('');
    choose(made.id, true);
    return made.id;
  }

  /** Enter takes what was typed; with nothing typed, it saves. */
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    if (wanted === '') {
      save();
      return;
    }
    const found = same ?? (shown.length === 1 ? shown[0] : undefined);
    if (!found) {
      await add();
      return;
    }
    choose(found.id, stateOf(found) !== true);
    setText('');
  }

  function save(): void {
    const all = [...chosen];
    const change = {
      add: all.filter(([, isOn]) => isOn).map(([id]) => id),
      remove: all.filter(([, isOn]) => !isOn).map(([id]) => id),
    };
    if (all.length > 0) onMark(change);
    onClose();
  }

  return (
    <Dialog
      isOpen
      sheet
      holdsWork={chosen.size > 0}
      onClose={onClose}
      title={
        ids.length === 1 && files[0]
          ? t('drive.tag.titleOne', { name: shownName(files[0].name) })
          : t('drive.tag.title', { count: ids.length })
      }
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" onClick={save} disabled={chosen.size === 0}>
            {t('drive.tag.save')}
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('drive.tag.find')}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(undefined);
          }}
          error={error}
          autoComplete="off"
          maxLength={LIMITS.tagNameMax}
          enterKeyHint="done"
        />
      </form>
      <ul className="mt-3 grid min-h-44 content-start gap-0.5">
        {shown.map((tag) => {
          const state = stateOf(tag);
          return (
            <li key={tag.id}>
              <Checkbox
                isSelected={state === true}
                isIndeterminate={state === 'some'}
                onChange={(isOn) => choose(tag.id, isOn)}
                className="min-h-10 items-center rounded-control px-2 hover:bg-hover pointer-coarse:min-h-11"
              >
                <span className="flex min-w-0 items-center gap-2.5">
                  <TagDot color={tag.color} />
                  <bdi className="[overflow-wrap:anywhere]">{shownName(tag.name)}</bdi>
                </span>
              </Checkbox>
            </li>
          );
        })}
        {wanted !== '' && !same && (
          <li>
            <Button
              variant="plain"
              icon={<Plus />}
              busy={busy}
              onClick={() => void add()}
              className="max-w-full justify-start"
            >
              <span className="[overflow-wrap:anywhere]">
                {t('drive.tag.createNamed', { name: text.trim() })}
              </span>
            </Button>
          </li>
        )}
        {tags.length === 0 && wanted === '' && (
          <li className="py-6 text-center text-ink-3">{t('drive.tag.none')}</li>
        )}
      </ul>
    </Dialog>
  );
}
