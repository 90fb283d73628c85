import type { Comparison, FilterNode } from './filter-ast.ts';

/** Evaluates a filter; `compare` evaluates a comparison. */
export function matchesNode<P extends string>(
  node: FilterNode<P>,
  compare: (comparison: Comparison<P>) => boolean,
): boolean {
  switch (node.kind) {
    case 'and':
      return node.nodes.every((part) => matchesNode(part, compare));
    case 'or':
      return node.nodes.some((part) => matchesNode(part, compare));
    case 'not':
      return !matchesNode(node.node, compare);
    case 'compare':
      return compare(node);
  }
}

/** A missing value equals nothing, differs from every value, and is neither less nor greater. */
export function holds(
  actual: Comparison['value'] | undefined,
  { operator, value }: Pick<Comparison, 'operator' | 'value'>,
): boolean {
  switch (operator) {
    case 'eq':
      return actual === value;
    case 'ne':
      return actual !== value;
    case 'lt':
      return actual !== undefined && actual < value;
    case 'le':
      return actual !== undefined && actual <= value;
    case 'gt':
      return actual !== undefined && actual > value;
    case 'ge':
      return actual !== undefined && actual >= value;
  }
}
