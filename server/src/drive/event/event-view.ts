import { mimeOf, type DriveEvent } from '@bowerbird/contract';
import { timeText } from '../../foundation/index.ts';
import { fileView } from '../drive-view.ts';
import { FILE, type EventRow, type FileContext, type NodeRow } from '../drive.ts';

export function eventView(event: EventRow, node: NodeRow, context: FileContext): DriveEvent {
  return {
    kind: 'drive#event',
    id: event.id,
    type: event.type,
    type_name: event.type,
    file_id: node.id,
    file_name: node.name,
    mime_type: node.kind === FILE ? mimeOf(node.name) : '',
    folder_id: node.parent === context.rootId ? '' : node.parent,
    created_time: timeText(event.createdAt),
    updated_time: timeText(event.updatedAt),
    params: event.params,
    progress: event.progress,
    reference_resource: fileView(node, context),
  };
}
