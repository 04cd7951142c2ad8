/** Whether a listed value keeps what else its schemas say. */
import type { JsonValue } from '../parser.ts';
import { allowedKinds, bounds, kindOf, limits, listedValues, sameValue } from './facets.ts';
import { itemNodes, memberNodes, requiredNames } from './parts.ts';
import { isObject, type Nodes, type Schemas } from './schema.ts';

/** As far as a grammar says it: what is reported as relaxed elsewhere is not looked at. */
export function fits(value: JsonValue, nodes: Nodes, schemas: Schemas): boolean {
  return schemas.alternatives(nodes).some(all => fitsAll(value, all, schemas));
}

/** The same of one alternative. */
function fitsAll(value: JsonValue, all: Nodes, schemas: Schemas): boolean {
  const listed = listedValues(all, schemas.report);
  return (!listed || listed.some(one => sameValue(one, value))) && fitsBesides(value, all, schemas);
}

/** Whether it keeps what is said besides a list of values. */
export function fitsBesides(value: JsonValue, all: Nodes, schemas: Schemas): boolean {
  const { report } = schemas;
  const kind = kindOf(value);
  if (!allowedKinds(all, report).has(kind)) return false;
  if (typeof value === 'string') {
    const length = Array.from(value).length;
    const { min, max } = limits(all, 'minLength', 'maxLength', report);
    return length >= min && length <= max && all.every(node => matchesPattern(value, node.keywords.pattern));
  }
  if (typeof value === 'number') {
    const { min, max } = bounds(all, report);
    if (min && (min.exclusive ? value <= min.value : value < min.value)) return false;
    return !(max && (max.exclusive ? value >= max.value : value > max.value));
  }
  if (Array.isArray(value)) {
    const { min, max } = limits(all, 'minItems', 'maxItems', report);
    if (value.length < min || value.length > max) return false;
    return value.every((item, index) => fits(item, itemNodes(all, index, schemas), schemas));
  }
  if (isObject(value)) {
    if (!requiredNames(all, report).every(name => Object.hasOwn(value, name))) return false;
    return Object.entries(value).every(([name, member]) =>
      fits(member as JsonValue, memberNodes(all, name, schemas), schemas),
    );
  }
  return true;
}

function matchesPattern(text: string, pattern: unknown): boolean {
  if (typeof pattern !== 'string') return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}
