import { useState } from 'react';
import { Check, CircleQuestionMark, Gift, HardDrive, Keyboard, Languages, Ticket } from 'lucide-react';
import { useLocation } from 'react-router';
import { LOCALE_NAMES, LOCALES, type Profile } from '@bowerbird/contract';
import { useOffers } from '#app/api/offers.ts';
import { chooseLocale } from '#app/page/preferences.ts';
import { inLocale, useLocale, useLocalePath } from '#app/i18n/locale.tsx';
import { THEMES } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { MenuItem, MenuSection, MenuSeparator } from '#app/ui/menu/menu.tsx';
import { THEME_ICONS } from '#app/page/theme-menu.tsx';
import { useTheme } from '#app/page/use-theme.ts';
import { useIsPhone } from '#app/ui/use-is-phone.ts';
import { UserMenu } from '#app/page/user-menu.tsx';
import { useDriveFrame } from './drive-frame.tsx';

/** Member's menu in the drive; on phones also theme and language, which don't fit into the bar. */
export function DriveUserMenu({ viewer }: { viewer: Profile }) {
  const t = useT();
  const locale = useLocale();
  const isPhone = useIsPhone();
  const [theme, chooseTheme] = useTheme();
  const path = useLocalePath();
  const { hasHelp, openKeys, openRedeemBox, openStorage } = useDriveFrame();
  const { invitations } = useOffers();
  const [choosesLanguage, setChoosesLanguage] = useState(false);
  return (
    <>
      <UserMenu viewer={viewer}>
        <MenuItem icon={<HardDrive />} onAction={openStorage}>
          {t('drive.storage')}
        </MenuItem>
        {openRedeemBox && (
          <MenuItem icon={<Ticket />} onAction={openRedeemBox}>
            {t('redeem.title')}
          </MenuItem>
        )}
        {invitations && (
          <MenuItem icon={<Gift />} href="/referral">
            {t('invite.title')}
          </MenuItem>
        )}
        {isPhone ? (
          <>
            <MenuItem
              icon={<Languages />}
              hint={LOCALE_NAMES[locale]}
              onAction={() => setChoosesLanguage(true)}
            >
              {t('ui.language')}
            </MenuItem>
            <MenuSeparator />
            <MenuSection title={t('ui.theme')}>
              {THEMES.map((one) => (
                <MenuItem
                  key={one}
                  icon={THEME_ICONS[one]}
                  isSelected={one === theme}
                  onAction={() => chooseTheme(one)}
                >
                  {t(`ui.theme.${one}`)}
                </MenuItem>
              ))}
            </MenuSection>
          </>
        ) : (
          <MenuItem icon={<Keyboard />} shortcut="?" onAction={openKeys}>
            {t('drive.keys.title')}
          </MenuItem>
        )}
        {hasHelp && (
          // Opens in a new tab, so that uploads in this one continue.
          <MenuItem icon={<CircleQuestionMark />} href={path('/help-center')} target="_blank">
            {t('drive.help')}
          </MenuItem>
        )}
      </UserMenu>
      {choosesLanguage && <LanguageSheet onClose={() => setChoosesLanguage(false)} />}
    </>
  );
}

function LanguageSheet({ onClose }: { onClose: () => void }) {
  const t = useT();
  const locale = useLocale();
  const { pathname, search, hash } = useLocation();
  return (
    <Dialog isOpen sheet onClose={onClose} title={t('ui.language')}>
      <ul className="-mx-3">
        {LOCALES.map((other) => (
          <li key={other}>
            {/* Reloads the page, which brings the texts of the other language. */}
            <a
              href={inLocale(other, pathname, search) + hash}
              lang={other}
              aria-current={other === locale || undefined}
              onClick={() => chooseLocale(other)}
              className="flex min-h-12 items-center justify-between rounded-control px-3 text-16 hover:bg-hover"
            >
              {LOCALE_NAMES[other]}
              {other === locale && <Check className="text-blue" aria-hidden="true" />}
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
