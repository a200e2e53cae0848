import type { PlayPosition, RecentEntry } from '@bowerbird/contract';
import { timeText } from '../../foundation/index.ts';
import { fileView } from '../drive-view.ts';
import type { FileContext } from '../drive.ts';
import type { RecentFile } from './recent-service.ts';
import type { RecentRow } from './recent.ts';

export function positionView({ node, at, play }: RecentRow): PlayPosition {
  return {
    file_id: node,
    seconds: play?.seconds ?? 0,
    duration: play?.duration ?? 0,
    updated_time: timeText(at),
  };
}

export function recentView({ event, node, folder }: RecentFile, context: FileContext): RecentEntry {
  return {
    event: event.kind,
    time: timeText(event.at),
    play: event.play ? positionView(event) : null,
    folder: folder ? { id: folder.id, name: folder.name } : { id: '', name: '' },
    file: fileView(node, context),
  };
}
