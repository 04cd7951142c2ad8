/** What the package offers to other programs, name by name. */
export { RawcallError } from '../parsers/error.ts';
