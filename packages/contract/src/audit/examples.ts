export { auditExamples as examples } from './audit.examples.ts';
