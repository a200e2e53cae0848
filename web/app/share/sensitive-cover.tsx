import { useEffect, useState, type ReactNode } from 'react';
import { EyeOff } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

const UNCOVERED = 'pp_hidden_shared_content_cover';

function wasShown(shareId: string): boolean {
  try {
    return sessionStorage.getItem(UNCOVERED) === shareId;
  } catch {
    return false;
  }
}

/** Covers content marked as sensitive until the visitor chooses to see it. */
export function SensitiveCover({ shareId, children }: { shareId: string; children: ReactNode }) {
  const t = useT();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (wasShown(shareId)) setShown(true);
  }, [shareId]);
  if (isShown) return children;
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState
        level={1}
        mark={<EyeOff className="size-14 stroke-1" />}
        title={t('share.cover.title')}
        text={t('share.cover.text')}
        actions={
          <Button
            size="l"
            onClick={() => {
              setShown(true);
              try {
                sessionStorage.setItem(UNCOVERED, shareId);
              } catch {
                // The question appears again after a reload.
              }
            }}
          >
            {t('share.cover.show')}
          </Button>
        }
      />
    </div>
  );
}
