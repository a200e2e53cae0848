import { useState } from 'react';
import { preferenceApi, recentApi } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import { Settings } from '#app/page/settings.tsx';
import { Switch } from '#app/ui/form/switch.tsx';
import { toast } from '#app/ui/toast/toast.tsx';

/** Setting for opened and played files in Recent; turning it off also removes those that it lists. */
export function RecentSetting({ isOn }: { isOn: boolean }) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const [chosen, setChosen] = useState(isOn);
  const choose = async (next: boolean): Promise<void> => {
    setChosen(next);
    try {
      await call(preferenceApi.change, { body: { rememberOpenedFiles: next } });
      if (!next) await call(recentApi.clear, { body: { kinds: ['opened', 'played'] } });
    } catch (error) {
      setChosen(!next);
      toast.show({ text: errorText(error), tone: 'danger' });
    }
  };
  return (
    <Settings title={t('profile.recent')}>
      <div className="border-t border-line px-5 py-3.5 max-md:px-4">
        <Switch
          isSelected={chosen}
          onChange={(next) => void choose(next)}
          hint={t('profile.recent.openedHint')}
        >
          {t('profile.recent.opened')}
        </Switch>
      </div>
    </Settings>
  );
}
