import { fileURLToPath } from 'node:url';
import { operations } from '../shared/operations/registry.ts';
import { tags } from '../shared/operations/tags.ts';
import { formatAndDescribe } from './new-operation/format.ts';
import { readRequest } from './new-operation/request.ts';
import { writeOperation } from './new-operation/write.ts';

/** `npm run new-operation -- <resource> <operation-id> <METHOD> <path> [--uses <noun>]` */
const root = fileURLToPath(new URL('..', import.meta.url));
const request = readRequest(process.argv.slice(2), operations);
const written = 'refusal' in request ? request : writeOperation(root, request, { operations, tags: Object.keys(tags) });
if ('refusal' in written) {
  console.error(written.refusal);
  process.exitCode = 1;
} else {
  formatAndDescribe(root, written.files);
  console.log(written.report);
}
