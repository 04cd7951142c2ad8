/** The body of an answer, handed on as it comes, as long as no message in it is too large. */

export const maxMessageBytes = 64 * 1024 * 1024;

export interface BodyOptions {
  /** Many messages, with an empty line after each; else the whole body is one. */
  readonly events: boolean;
  readonly maxBytes?: number;
  /** It is over, or was cut. */
  readonly onEnd: () => void;
  readonly onTooLarge: () => void;
}

export function bounded(
  body: ReadableStream<Uint8Array>,
  { events, maxBytes = maxMessageBytes, onEnd, onTooLarge }: BodyOptions,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  let before: Uint8Array = Buffer.alloc(0);

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          onEnd();
          return controller.close();
        }
        // An empty line may be in two chunks.
        const bytes = Buffer.concat([before, value]);
        const end = events ? afterEmptyLine(bytes) : 0;
        size = end > 0 ? bytes.length - end : size + value.length;
        before = bytes.subarray(-3);
        if (size <= maxBytes) return controller.enqueue(value);
        onTooLarge();
        controller.error(new Error('a message that is too large'));
        await reader.cancel();
      } catch (error) {
        onEnd();
        controller.error(error);
      }
    },
    cancel: reason => reader.cancel(reason),
  });
}

function afterEmptyLine(bytes: Buffer): number {
  return Math.max(
    ...['\n\n', '\r\n\r\n', '\r\r'].map(end => {
      const at = bytes.lastIndexOf(end);
      return at === -1 ? 0 : at + end.length;
    }),
  );
}
