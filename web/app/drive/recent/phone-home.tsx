import { useQuery } from '@tanstack/react-query';
import type { ApiCall, File } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useT } from '#app/i18n/t.ts';
import { kindOf } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { loadPage, RunningTransfers, type RunningPage } from '#app/offline/index.ts';
import { FileTile } from '#app/ui/file-tile.tsx';
import { starredQuery } from './recent-data.ts';
import { Section, TileRow } from './section.tsx';

/** Content of the home on phones for the server's first paint. */
export interface PhoneHomeData {
  readonly starred: readonly File[];
  readonly running: RunningPage;
}

export async function loadPhoneHome(call: ApiCall, signal: AbortSignal): Promise<PhoneHomeData> {
  const [starred, running] = await Promise.all([
    starredQuery(call).queryFn({ signal }),
    loadPage(call, 'running', '', signal),
  ]);
  return { starred, running };
}

/** Sections of the home on phones: running downloads and starred files, each a few with a link to all. */
export function PhoneHome({
  initial,
  onOpen,
}: {
  initial: PhoneHomeData | undefined;
  onOpen: (file: File) => void;
}) {
  const t = useT();
  const call = useCall();
  const starred = useQuery({
    ...starredQuery(call),
    ...(initial ? { initialData: initial.starred } : {}),
  });
  const files = starred.data ?? [];
  return (
    <>
      <RunningTransfers
        initial={initial?.running}
        frame={(list) => (
          <Section title={t('drive.transfers')} to="/drive/transfers">
            {list}
          </Section>
        )}
      />
      {files.length > 0 && (
        <Section title={t('drive.starred')} to="/drive/starred">
          <TileRow>
            {files.map((file) => (
              <li key={file.id} className="w-22 shrink-0 snap-start">
                <button
                  type="button"
                  onClick={() => onOpen(file)}
                  className="grid w-full justify-items-center gap-1.5 rounded-card py-2 text-center"
                >
                  <FileTile
                    category={kindOf(file)}
                    size={56}
                    {...(file.thumbnail_link === '' ? {} : { thumbnail: file.thumbnail_link })}
                  />
                  <bdi className="line-clamp-2 w-full text-12 leading-4 [overflow-wrap:anywhere]">
                    {shownName(file.name)}
                  </bdi>
                </button>
              </li>
            ))}
          </TileRow>
        </Section>
      )}
    </>
  );
}
