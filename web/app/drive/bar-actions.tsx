import { Copy, Download, FolderInput, Info, Link2, Pencil, Star, StarOff, Tag, Trash2 } from 'lucide-react';
import type { T } from '#app/i18n/t.ts';
import type { BarAction } from '#app/node/index.ts';
import type { FileActions } from './file-menu.tsx';

/** Actions of the selection bar, by frequency of use. */
export function barActionsOf(t: T, actions: FileActions, isStarred: boolean): BarAction[] {
  return [
    { id: 'download', label: t('drive.menu.download'), icon: <Download />, run: actions.download },
    { id: 'share', label: t('drive.menu.share'), icon: <Link2 />, run: actions.share },
    { id: 'move', label: t('drive.menu.moveTo'), icon: <FolderInput />, run: actions.moveTo },
    { id: 'trash', label: t('drive.menu.trash'), icon: <Trash2 />, run: actions.trash, isDanger: true },
    ...(actions.rename
      ? [{ id: 'rename', label: t('drive.menu.rename'), icon: <Pencil />, run: actions.rename }]
      : []),
    { id: 'copy', label: t('drive.menu.copyTo'), icon: <Copy />, run: actions.copyTo },
    { id: 'tag', label: t('drive.tag.tags'), icon: <Tag />, run: actions.tag },
    {
      id: 'star',
      label: isStarred ? t('drive.menu.unstar') : t('drive.menu.star'),
      icon: isStarred ? <StarOff /> : <Star />,
      run: actions.star,
    },
    { id: 'details', label: t('drive.menu.details'), icon: <Info />, run: actions.details },
  ];
}
