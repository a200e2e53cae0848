import { driveApi } from '@bowerbird/contract';
import { errorText } from '../foundation/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { BatchUploads } from './upload-batch-service.ts';

export function mountBatches(api: Api, batches: BatchUploads): void {
  api.handle(
    driveApi.uploadMany,
    { underKey: 'joined', prepare: ({ body, bytes }) => batches.keep(body.files, bytes) },
    async ({ viewer, caller: { locale } }, bodies) => ({
      results: (await batches.publish(viewer.account, bodies)).map((result) =>
        'node' in result
          ? { id: result.node.id, name: result.node.name, error: '', error_description: '' }
          : {
              id: '',
              name: result.file.name,
              error: result.failure.id,
              error_description: errorText(locale, result.failure.id, result.failure.facts),
            },
      ),
    }),
  );
}
