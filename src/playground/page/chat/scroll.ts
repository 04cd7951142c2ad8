/** A list that is written at its end: it stays at its end, unless somebody has scrolled away from it. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** Within so many pixels of the end, one is at the end. */
const near = 40;

export function useStickyEnd() {
  const list = useRef<HTMLElement>(null);
  const atEnd = useSignal(true);

  function toEnd(): void {
    const element = list.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight;
    atEnd.value = true;
  }

  useEffect(() => {
    const element = list.current!;
    const observer = new ResizeObserver(() => {
      if (atEnd.peek()) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    const onScroll = () => {
      atEnd.value = element.scrollHeight - element.scrollTop - element.clientHeight < near;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [atEnd]);

  return { list, atEnd, toEnd };
}
