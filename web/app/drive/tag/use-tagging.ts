import { useQueryClient } from '@tanstack/react-query';
import { driveApi, type Color, type Tag } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { randomHex } from '#app/browser/device.ts';
import { useT } from '#app/i18n/t.ts';
import { useFailureToast } from '#app/page/use-failure-toast.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { LISTINGS } from '../drive-data.ts';
import { inPieces } from '../report/in-pieces.ts';
import { TAGS } from './tag-data.ts';

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface Tagging {
  /** Creates a tag; returns an error to show beside the field if that fails. */
  create(name: string, color: Color): Promise<Tag | { readonly error: string }>;
  /** Returns an error to show beside the field, if any. */
  change(id: string, change: { name?: string; color?: Color }): Promise<string | undefined>;
  remove(id: string): Promise<void>;
  /** Adds tags to items, and takes others off, with an undo. */
  mark(ids: readonly string[], change: TagChange): Promise<void>;
}

/** A member's changes of their tags. */
export function useTagging(): Tagging {
  const call = useCall();
  const client = useQueryClient();
  const t = useT();
  const fail = useFailureToast();
  const errorText = useErrorText();
  const once = () => ({ idempotencyKey: randomHex() });
  const refresh = (): void => {
    for (const queryKey of [TAGS, LISTINGS, ['file']]) void client.invalidateQueries({ queryKey });
  };

  /** Makes a change in batches. Returns what each of them changed. */
  async function apply(ids: readonly string[], { add, remove }: TagChange): Promise<Undo[]> {
    const undo: Undo[] = [];
    await inPieces(ids, async (some) => {
      const body = { ids: [...some], add: [...add], remove: [...remove] };
      const { added, removed } = await call(driveApi.tagFiles, { body }, once());
      for (const { tag_id: tag, ids: its } of added) undo.push({ ids: its, add: [], remove: [tag] });
      for (const { tag_id: tag, ids: its } of removed) undo.push({ ids: its, add: [tag], remove: [] });
    });
    return undo;
  }

  async function quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      fail(error);
    } finally {
      refresh();
    }
  }

  return {
    async create(name, color) {
      try {
        const tag = await call(driveApi.createTag, { body: { name, color } }, once());
        client.setQueryData<readonly Tag[]>(TAGS, (known = []) => [...known, tag]);
        refresh();
        return tag;
      } catch (error) {
        return { error: errorText(error) };
      }
    },

    async change(id, change) {
      try {
        await call(driveApi.changeTag, { params: { id }, body: change }, once());
        client.setQueryData<readonly Tag[]>(TAGS, (known) =>
          known?.map((tag) => (tag.id === id ? { ...tag, ...change } : tag)),
        );
        return undefined;
      } catch (error) {
        return errorText(error);
      } finally {
        refresh();
      }
    },

    remove: (id) =>
      quietly(async () => {
        await call(driveApi.removeTag, { params: { id } }, once());
      }),

    mark: (ids, change) =>
      quietly(async () => {
        const undo = await apply(ids, change);
        const text = t('drive.tag.done', { count: ids.length });
        toast.show({
          text,
          undo: {
            label: t('drive.undo'),
            run: () =>
              void quietly(async () => {
                for (const { ids: some, ...back } of undo) await apply(some, back);
                toast.show({ text: t('drive.undone', { what: text }) });
              }),
          },
        });
      }),
  };
}

type Undo = TagChange & { readonly ids: readonly string[] };
