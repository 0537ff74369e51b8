// @ts-check
import { randomBytes } from 'node:crypto';
import { createRequestStateCodec } from '@portico/server';

/** Request state that only this process can make. */
export const requestStates = createRequestStateCodec({ key: randomBytes(32) });
