import { provisioningExamples } from './provisioning.examples.ts';
import { scimExamples } from './scim.examples.ts';

export const examples = { ...provisioningExamples, ...scimExamples };
