/** The contract of where logins are kept. Types only. */
import type { HttpServer } from '../servers.ts';
import type { Login } from './stored-login.ts';

/** Whose login: the name is for messages, the address is what it is kept under. */
export type Whose = Pick<HttpServer, 'name' | 'url'>;

export interface LoginStore {
  /** @throws RawcallError `bad_stored_login` */
  read(whose: Whose): Promise<Login | undefined>;
  /** Replaces what was kept, whatever state it was in. */
  write(whose: Whose, login: Login): Promise<void>;
  /** True where something was kept. */
  remove(whose: Whose): Promise<boolean>;
  /** Runs alone among all processes of this user, because a token that renews others may often be used but once. */
  alone<T>(whose: Whose, work: () => Promise<T>): Promise<T>;
  /** Where `write` put it, for people: `the system keyring`, or a file's path. */
  place(whose: Whose): Promise<string>;
}
