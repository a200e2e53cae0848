import { fileTypeOf, LIMITS, type File } from '@bowerbird/contract';
import { timeText } from '../foundation/index.ts';
import { FOLDER, type Annotation, type FileContext, type ShownNode } from './drive.ts';

const DAY_MS = 24 * 3600 * 1000;
const FOLDER_TYPE = { category: 'folder', mime: '', extension: '' } as const;

/** File or folder as the API shows it; `phase` differs from COMPLETE for files whose bytes are still arriving. */
export function fileView(
  node: ShownNode,
  context: FileContext,
  phase: File['phase'] = 'PHASE_TYPE_COMPLETE',
): File {
  const folder = node.kind === FOLDER;
  const { category, mime, extension } = folder ? FOLDER_TYPE : fileTypeOf(node.name);
  const trashed = node.trashed_at !== null || context.trashed === true;
  const whole = phase === 'PHASE_TYPE_COMPLETE';
  const linked = context.withLinks === true && !folder && whole && node.quarantined_at === null;
  const from = { origin: context.origin, share: context.share };
  const modified = timeText(node.modified_at);
  const link = linked ? context.links.download(node, { ...from, disposition: 'attachment' }) : undefined;
  return {
    kind: folder ? 'drive#folder' : 'drive#file',
    id: node.id,
    parent_id: node.parent === context.rootId ? '' : node.parent,
    name: node.name,
    user_id: node.account,
    // Programs that know the protocol expect 0 here.
    size: folder ? '0' : String(node.size),
    revision: '0',
    file_extension: extension,
    mime_type: mime,
    created_time: node.created_at === node.modified_at ? modified : timeText(node.created_at),
    modified_time: modified,
    user_modified_time: modified,
    icon_link: '',
    thumbnail_link:
      folder || !whole ? '' : context.links.thumbnail(node, context.thumbnailSize ?? 'SIZE_SMALL', from),
    md5_checksum: node.md5 ?? '',
    hash: node.gcid ?? '',
    links: link ? { [link.type]: link } : {},
    phase,
    audit: auditView(node),
    medias: linked && (category === 'video' || category === 'audio') ? [originalMedia(node, context)] : [],
    trashed,
    delete_time:
      node.trashed_at === null
        ? ''
        : timeText(node.trashed_at + (context.trashDays?.(node.trashed_at) ?? LIMITS.trashDays) * DAY_MS),
    original_url: '',
    params: {
      ...(node.origin === null ? {} : (JSON.parse(node.origin) as Record<string, string>)),
      ...(node.trashed_at !== null && context.withTrashedTime
        ? { trashed_time: timeText(node.trashed_at) }
        : {}),
    },
    original_file_index: 0,
    space: '',
    apps: [],
    writable: true,
    folder_type: folder ? 'NORMAL' : '',
    collection: '',
    sort_name: '',
    starred: node.starred_at !== null,
    tags: node.starred_at === null ? [] : [{ name: 'STAR', type: 0 }],
    spell_name: [],
    reference_events: [],
    reference_resource: null,
    file_category: category.toUpperCase(),
    web_content_link: link?.url ?? '',
    ...(folder && node.file_count !== undefined
      ? {
          folder_size: String(node.size),
          file_count: node.file_count,
          folder_count: node.folder_count,
        }
      : {}),
    ...annotationView(context.annotations?.get(node.id)),
  };
}

function annotationView(annotation: Annotation | undefined): Partial<File> {
  if (!annotation) return {};
  const { tags, color, emoji, hasNote } = annotation;
  return {
    ...(tags.length > 0 ? { tag_ids: [...tags] } : {}),
    ...(hasNote ? { has_note: true } : {}),
    ...(color === '' ? {} : { folder_color: color }),
    ...(emoji === '' ? {} : { folder_emoji: emoji }),
  };
}

function auditView(node: ShownNode): File['audit'] {
  if (node.kind === FOLDER) return null;
  return node.quarantined_at === null
    ? { status: 'STATUS_OK', message: 'Normal resource', title: '' }
    : { status: 'STATUS_SENSITIVE_RESOURCE', message: 'Sensitive resource', title: '' };
}

/** Entry for the file itself, because players look for it among the media. */
function originalMedia(node: ShownNode, { links, origin, share }: FileContext): File['medias'][number] {
  return {
    media_id: node.id,
    media_name: 'Original',
    video: null,
    audio: null,
    link: links.download(node, { origin, share, disposition: 'inline' }),
    need_more_quota: false,
    vip_types: [],
    redirect_link: '',
    icon_link: '',
    is_default: true,
    priority: 0,
    is_origin: true,
    resolution_name: 'Original',
    is_visible: true,
    category: 'category_origin',
  };
}
