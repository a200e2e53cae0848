import type { Database } from '../../foundation/database/index.ts';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import type { Nodes } from '../node/index.ts';
import { createAnnotationFacts } from './annotation-facts-service.ts';
import type { AnnotationStore } from './annotation-store.ts';
import { createLooks } from './look-service.ts';
import { mountNotes } from './note-routes.ts';
import { createNotes } from './note-service.ts';
import { createNoteStore } from './note-store.ts';
import { mountFolders } from './pin-routes.ts';
import { createPins } from './pin-service.ts';
import { createPinStore } from './pin-store.ts';
import { mountTags } from './tag-routes.ts';
import { createTags } from './tag-service.ts';
import { createTagStore } from './tag-store.ts';

export { createAnnotationStore, type AnnotationStore } from './annotation-store.ts';
export type { AnnotationFacts } from './annotation-facts-service.ts';
export { createNoteStore, type NoteStore } from './note-store.ts';
export { tagFold, type Tags } from './tag-service.ts';
export { createTagStore, type TagStore } from './tag-store.ts';

/** Annotations of members about their own files: tags, notes, looks of folders, and pinned folders. */
export function createAnnotations(deps: {
  readonly database: Database;
  readonly nodes: Nodes;
  readonly annotationStore: AnnotationStore;
  readonly clock: Clock;
  readonly ids: Ids;
}) {
  const tagStore = createTagStore();
  const tags = createTags({ ...deps, store: tagStore });
  const pins = createPins({
    ...deps,
    store: createPinStore(),
    annotations: deps.annotationStore,
  });
  const noteStore = createNoteStore();
  const notes = createNotes({ ...deps, store: noteStore });
  const looks = createLooks({ ...deps, store: deps.annotationStore });
  return {
    facts: createAnnotationFacts({ database: deps.database, store: deps.annotationStore, tags }),
    tagStore,
    noteStore,
    mount(api: Api): void {
      mountTags(api, { database: deps.database, tags });
      mountFolders(api, { looks, pins });
      mountNotes(api, { notes });
    },
  };
}
