import { examples } from './domain-examples.ts';
import type { Example } from './endpoint/example.ts';

/** An example for each operation, by its ID. Browsers never load them. */
export { examples };

export function getExample({ id }: { id: string }): Example {
  const example = (examples as Readonly<Record<string, Example>>)[id];
  if (!example) throw new Error(`The operation ${id} has no example.`);
  return example;
}

export type { EndpointExample, EndpointExamples, Example } from './endpoint/example.ts';
export { problemsWith } from './endpoint/run-example.ts';
export { exampleProvider, passkeysExamples } from './sign-in/sign-in.examples.ts';
export { announcementExamples } from './webhooks/examples.ts';
