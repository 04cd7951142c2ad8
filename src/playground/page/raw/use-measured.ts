/**
 * How many columns and rows a box of monospaced text has room for: measured by a ruler in it, and again when either changes its size.
 * There are no columns before the first measuring.
 */
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { widestCharacter } from './rows.ts';

export function useMeasured(box: RefObject<HTMLElement | null>) {
  const ruler = useRef<HTMLSpanElement>(null);
  const measured = useSignal({ columns: 0, rowHeight: 20, height: 0 });
  useLayoutEffect(() => {
    const measure = () => {
      if (!box.current || !ruler.current) return;
      const { width, height: rowHeight } = ruler.current.getBoundingClientRect();
      const { clientWidth, clientHeight: height } = box.current;
      const style = getComputedStyle(box.current);
      const room = clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const columns = Math.max(
        widestCharacter,
        Math.floor((room * ruler.current.textContent.length) / width),
      );
      const last = measured.peek();
      if (columns !== last.columns || rowHeight !== last.rowHeight || height !== last.height)
        measured.value = { columns, rowHeight, height };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box.current!);
    observer.observe(ruler.current!);
    return () => observer.disconnect();
  }, []);
  return { ...measured.value, ruler };
}
