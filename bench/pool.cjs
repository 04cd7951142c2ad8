// As the launcher of rawcall does, and before anything starts libuv's pool: see src/cli/launcher.cts.
process.env.UV_THREADPOOL_SIZE ??= '1';
