import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import type { openApiDocument } from '../../../shared/openapi/document.ts';
import { openapi } from '../../../shared/operations/service/openapi.ts';

type Document = ReturnType<typeof openApiDocument>;

/** An instance is usually called at one address, so it generates the document once. */
let cached: { readonly baseUrl: string; readonly document: Document } | undefined;

export const handle: Handle<typeof openapi> = async (_input, { baseUrl }) => {
  if (cached?.baseUrl !== baseUrl) cached = { baseUrl, document: await documentFor(baseUrl) };
  return cached.document;
};

/** The schemas of all operations and their examples are loaded with the first request: they would double the time of a start. */
async function documentFor(baseUrl: string): Promise<Document> {
  const [document, registry] = await Promise.all([
    import('../../../shared/openapi/document.ts'),
    import('../../../shared/operations/registry.ts'),
  ]);
  return document.openApiDocument(registry.operations, baseUrl);
}

export const handler = pipeline(openapi, handle);
