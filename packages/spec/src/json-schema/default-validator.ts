export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from './cf-worker.ts';
