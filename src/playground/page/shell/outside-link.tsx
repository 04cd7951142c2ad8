/** A link that somebody else wrote. It leads to the web or to a mail program, and says where; anything else is no link. */
import type { ComponentChildren } from 'preact';

const linked = new Set(['http:', 'https:', 'mailto:']);

export function OutsideLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ComponentChildren;
}) {
  // A relative address has no base here: it would lead into this page.
  const address = URL.canParse(href) ? new URL(href) : undefined;
  if (!address || !linked.has(address.protocol)) return <span title={href}>{children}</span>;
  return (
    <a href={address.href} title={address.href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
