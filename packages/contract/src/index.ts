import * as domains from './domains.ts';
import type { EndpointSpec } from './endpoint/endpoint.ts';

const isEndpoint = (value: unknown): value is EndpointSpec =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const byRoute = (a: EndpointSpec, b: EndpointSpec): number =>
  a.path.localeCompare(b.path) || methods.indexOf(a.method) - methods.indexOf(b.method);

const assemble = (): readonly EndpointSpec[] => Object.values<unknown>(domains).filter(isEndpoint).sort(byRoute);

/** All operations of the API, by ID. Bundlers drop the operations that are not used. */
export const endpoints = /* @__PURE__ */ assemble();

export * from './client.ts';
export * from './domains.ts';
export * from './endpoint/index.ts';
export * from './errors.ts';
export * from './fields.ts';
export * from './file-ranges.ts';
export * from './live.ts';
export * from './markdown.ts';
export * from './openapi.ts';
export * from './paging.ts';
export * from './permissions.ts';
export * from './plain-name.ts';
export * from './qr-code.ts';
export * from './rotated-keys.ts';
export * from './type.ts';
