// The rank board: one column per ranked list, S-curves between a chunk's places, one selection everywhere.
// Everything is updated in place, keyed by column and chunk id. Text from data is only ever set as textContent.

const BOARDS = new WeakMap()
const SVG = "http://www.w3.org/2000/svg"
const MOVE_MS = 180
const ROOM = 250 // pixels that a column and its gap need; with less, two columns are chosen

export default function (component) {
  const { parentElement, data, setTriggerValue } = component
  let board = BOARDS.get(parentElement)
  if (!board) {
    board = new Board(parentElement.querySelector(".board"))
    BOARDS.set(parentElement, board)
  }
  board.send = (id) => setTriggerValue("select", { id })
  board.show(data)
  // Streamlit also cleans up after a run that a newer one has overtaken while the script was loading.
  const shows = board.shows
  return () => {
    if (board.shows !== shows) return
    board.stop()
    BOARDS.delete(parentElement)
  }
}

function make(tag, className, text) {
  const node = document.createElement(tag)
  if (className) node.className = className
  if (text !== undefined) node.textContent = text
  return node
}

function drawn(tag, attributes) {
  const node = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  return node
}

function set(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value)
}

function text(node, value) {
  if (node.textContent !== value) node.textContent = value
}

// A grade is a shape, not a number: a faint dot = not judged, else a ring that fills clockwise with the grade.
const FILLS = { "○": "", "◔": "M8 8 V2 A6 6 0 0 1 14 8 Z", "◑": "M8 2 A6 6 0 0 1 8 14 Z", "●": "M8 2 A6 6 0 1 1 7.99 2 Z" }

function gradeMark(sign) {
  const mark = drawn("svg", { class: "grade", viewBox: "0 0 16 16", "aria-hidden": "true" })
  if (!(sign in FILLS)) {
    mark.classList.add("unjudged")
    mark.append(drawn("circle", { class: "fill", cx: 8, cy: 8, r: 1.6 }))
    return mark
  }
  if (sign === "○") mark.classList.add("empty")
  mark.append(drawn("circle", { cx: 8, cy: 8, r: 6 }))
  if (FILLS[sign]) mark.append(drawn("path", { class: "fill", d: FILLS[sign] }))
  return mark
}

class Board {
  constructor(root) {
    this.root = root
    this.columns = new Map() // key -> {node, parts, rows: Map(id -> {item, button})}
    this.places = new Map() // "key id" -> the row's vertical place now, in rows
    this.links = new Map() // "left right id" -> {path, label}
    this.chosen = null // the two columns shown where there is room for two only
    this.hovered = null
    this.shows = 0
    this.chooser = make("div", "chooser")
    this.grid = make("div", "columns")
    this.svg = drawn("svg", { class: "links", "aria-hidden": "true" })
    this.lines = drawn("g", {})
    this.labels = drawn("g", {}) // after the lines, so that no line crosses a number
    this.svg.append(this.lines, this.labels)
    this.grid.append(this.svg)
    this.legend = make("p", "legend")
    this.root.replaceChildren(this.chooser, this.grid, this.legend)
    this.grid.addEventListener("keydown", (event) => this.onKey(event))
    this.grid.addEventListener("focusout", () => this.hover(null))
    this.resizes = new ResizeObserver(() => this.layOut())
    this.resizes.observe(this.root)
  }

  stop() {
    this.resizes.disconnect()
    cancelAnimationFrame(this.frame)
  }

  show(data) {
    this.shows += 1
    this.data = data
    this.selected = data.selected
    const focused = this.root.getRootNode().activeElement
    this.layOut()
    this.explain(data.legend)
    if (focused && this.root.contains(focused)) focused.focus({ preventScroll: true })
  }

  // What the signs on the board mean.
  explain(items) {
    this.legend.hidden = !items.length
    this.legend.replaceChildren(
      ...items.map((item) => {
        const node = make("span", "meaning")
        for (const sign of item.signs) node.append(item.kind === "grade" ? gradeMark(sign) : make("b", "", sign))
        if (item.color !== null) node.querySelector("b").style.color = this.palette(item.color)
        node.append(make("span", "", item.word))
        return node
      }),
    )
  }

  select(id) {
    this.selected = this.selected === id ? null : id
    this.marks()
    this.send(this.selected)
  }

  // ---- which columns there are, and how wide

  layOut() {
    if (!this.data) return
    const keys = this.data.columns.map((column) => column.key)
    const room = this.root.clientWidth / keys.length
    const narrow = this.root.clientWidth > 0 && keys.length > 2 && room < ROOM
    const kept = this.chosen && this.chosen.every((key) => keys.includes(key))
    if (narrow && !kept) this.chosen = [keys[0], keys[keys.length - 1]]
    this.shown = this.data.columns.filter((column) => !narrow || this.chosen.includes(column.key))
    if (narrow) this.shown.sort((a, b) => this.chosen.indexOf(a.key) - this.chosen.indexOf(b.key))
    this.choose(narrow)
    const shares = this.shown.map((column) => `minmax(0, ${column.share}fr)`)
    this.grid.style.gridTemplateColumns = shares.join(" ")
    this.shownColumns()
    this.marks()
    this.move()
  }

  choose(narrow) {
    this.chooser.hidden = !narrow
    if (!narrow) return this.chooser.replaceChildren()
    if (!this.chooser.children.length) {
      for (const side of [0, 1]) {
        const label = make("label", "", side ? "Right " : "Left ")
        const select = make("select")
        select.onchange = () => {
          if (this.chosen[1 - side] === select.value) this.chosen.reverse()
          else this.chosen[side] = select.value
          this.layOut()
        }
        label.append(select)
        this.chooser.append(label)
      }
    }
    this.chooser.querySelectorAll("select").forEach((select, side) => {
      select.replaceChildren(
        ...this.data.columns.map((column) => {
          const option = make("option", "", column.label)
          option.value = column.key
          return option
        }),
      )
      select.value = this.chosen[side]
    })
  }

  shownColumns() {
    const keys = this.shown.map((column) => column.key)
    for (const [key, column] of this.columns) {
      if (keys.includes(key)) continue
      column.node.remove()
      this.columns.delete(key)
    }
    for (const [index, column] of this.shown.entries()) {
      const view = this.columns.get(column.key) ?? this.newColumn(column.key)
      if (this.grid.children[index + 1] !== view.node) this.grid.insertBefore(view.node, this.grid.children[index + 1])
      this.column(view, column)
    }
  }

  newColumn(key) {
    const view = { node: make("section"), rows: new Map() }
    const header = make("header")
    view.name = make("h3")
    view.detail = make("span", "detail")
    view.list = make("ol", "rows")
    view.message = make("p", "message")
    view.foot = make("p", "foot")
    header.append(view.name, view.detail)
    view.node.append(header, view.message, view.list, view.foot)
    this.columns.set(key, view)
    return view
  }

  column(view, column) {
    view.node.className = `column ${column.state}${column.muted ? " muted" : ""}`
    view.node.style.setProperty("--channel", this.palette(column.color))
    text(view.name, column.label)
    text(view.detail, column.detail)
    set(view.detail, "title", column.detail)
    const ready = column.state === "ready" && !column.message
    view.message.hidden = ready
    view.message.style.display = ready ? "none" : ""
    text(view.message, column.message)
    set(view.message, "role", "status")
    set(view.list, "aria-label", `${column.label}, ${column.rows.length} of ${column.total}`)
    view.list.style.height = `calc(var(--row) * ${column.state === "ready" ? column.rows.length : 0})`
    this.rows(view, column)
  }

  palette(index) {
    const colors = getComputedStyle(this.root).getPropertyValue("--st-chart-categorical-colors").split(",")
    return (colors[index % colors.length] || "currentColor").trim()
  }

  // ---- rows

  rows(view, column) {
    const wanted = new Set(column.rows.map((row) => row.id))
    for (const [id, row] of view.rows) {
      if (wanted.has(id)) continue
      row.item.remove()
      view.rows.delete(id)
      this.places.delete(`${column.key} ${id}`)
    }
    column.rows.forEach((row, index) => {
      const shown = view.rows.get(row.id) ?? this.newRow(view, row.id)
      if (view.list.children[index] !== shown.item) view.list.insertBefore(shown.item, view.list.children[index] ?? null)
      this.row(shown, row, column)
    })
  }

  newRow(view, id) {
    const item = make("li")
    const button = make("button", "chunk")
    button.type = "button"
    button.onclick = () => this.select(id)
    button.onmouseenter = () => this.hover(id)
    button.onmouseleave = () => this.hover(null)
    button.onfocus = () => this.hover(id)
    button.append(make("span", "rank"), make("span", "title"), make("span", "arrows"))
    item.append(button)
    const row = { item, button }
    view.rows.set(id, row)
    return row
  }

  row({ button }, row, column) {
    const title = this.data.titles[row.id]
    text(button.querySelector(".rank"), String(row.rank))
    text(button.querySelector(".title"), title)
    const shape = row.grade?.sign ?? "none"
    if (button.dataset.grade !== shape) {
      button.querySelector(".grade")?.remove()
      if (row.grade) button.querySelector(".rank").after(gradeMark(row.grade.sign))
      button.dataset.grade = shape
    }
    this.arrows(button.querySelector(".arrows"), row.arrows)
    const moves = row.arrows.map((arrow) => `${arrow.letter} ${arrow.sign}`).join(" ")
    const words = [row.grade?.word, ...row.arrows.map((arrow) => arrow.word)].filter(Boolean)
    set(button, "aria-label", [`${row.rank} ${title} ${moves}`.trim(), `rank ${row.rank} in ${column.label}`, ...words].join(", "))
    set(button, "title", [title, row.score, ...words].join("\n"))
  }

  arrows(holder, arrows) {
    while (holder.children.length > arrows.length) holder.lastChild.remove()
    arrows.forEach((arrow, index) => {
      if (!holder.children[index]) holder.append(make("span"))
      const node = holder.children[index]
      const key = `${arrow.letter} ${arrow.sign}`
      if (node.dataset.key === key) return
      node.dataset.key = key
      node.className = `arrow${arrow.color === null ? " pin" : ""}`
      const letter = make("b", "", arrow.letter)
      if (arrow.color !== null) letter.style.color = this.palette(arrow.color)
      node.replaceChildren(letter, " ", make("span", arrow.way, arrow.sign))
    })
  }

  // ---- selection

  hover(id) {
    if (this.hovered === id) return
    this.hovered = id
    this.marks()
  }

  marks() {
    const focused = this.root.getRootNode().activeElement
    const stop = this.tabStop()
    for (const column of this.shown) {
      const view = this.columns.get(column.key)
      for (const [id, { button }] of view.rows) {
        button.classList.toggle("on", id === this.selected)
        button.classList.toggle("hover", id === this.hovered)
        set(button, "aria-pressed", String(id === this.selected))
        button.tabIndex = button === focused || button === stop ? 0 : -1
      }
      this.foot(view, column)
    }
    for (const { id, path, label } of this.links.values()) {
      for (const node of [path, label]) {
        if (!node) continue
        node.classList.toggle("on", id === this.selected)
        node.classList.toggle("hover", id === this.hovered)
        if (id === this.selected || id === this.hovered) node.parentNode.append(node)
      }
    }
  }

  // The board is one stop of the Tab key: the focused row, else the selected one, else the first.
  tabStop() {
    const focused = this.root.getRootNode().activeElement
    if (focused?.classList.contains("chunk") && this.root.contains(focused)) return focused
    const views = this.shown.map((column) => this.columns.get(column.key))
    const selected = views.find((view) => view.rows.has(this.selected))
    if (selected) return selected.rows.get(this.selected).button
    return views.find((view) => view.rows.size)?.list.querySelector(".chunk")
  }

  // Under each list: how many more there are, or the selected chunk where it lies outside the window.
  foot(view, column) {
    const id = this.selected
    const end = id === null ? undefined : column.ends[id]
    if (column.state !== "ready" || !end) {
      view.foot.replaceChildren(column.state === "ready" ? column.more : "")
      return
    }
    const box = make("span", "chunk on")
    box.append(make("span", "rank", end.text), make("span", "title", this.data.titles[id] ?? id))
    box.title = end.word
    view.foot.replaceChildren(box)
  }

  onKey(event) {
    const button = event.target.closest(".chunk")
    if (!button) return
    const column = this.shown.findIndex((each) => this.columns.get(each.key).list.contains(button))
    const buttons = [...this.columns.get(this.shown[column].key).list.querySelectorAll(".chunk")]
    const row = buttons.indexOf(button)
    const steps = { ArrowDown: row + 1, ArrowUp: row - 1, Home: 0, End: buttons.length - 1 }
    if (event.key in steps) {
      buttons[Math.min(Math.max(steps[event.key], 0), buttons.length - 1)].focus()
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      this.across(column, event.key === "ArrowRight" ? 1 : -1, button, row)
    } else if (event.key === "Escape" && this.selected !== null) {
      this.select(this.selected)
    } else return
    event.preventDefault()
    this.marks()
  }

  // To the same chunk in the next list, or to the same height where that list does not show it.
  across(column, step, button, row) {
    const views = this.shown.map((each) => this.columns.get(each.key))
    const id = [...views[column].rows].find(([, each]) => each.button === button)[0]
    for (let next = column + step; next >= 0 && next < views.length; next += step) {
      const buttons = views[next].list.querySelectorAll(".chunk")
      if (!buttons.length) continue
      const same = views[next].rows.get(id)?.button
      ;(same ?? buttons[Math.min(row, buttons.length - 1)]).focus()
      return
    }
  }

  // ---- movement: rows and lines glide together to where they belong

  move() {
    cancelAnimationFrame(this.frame)
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches
    const starts = new Map()
    for (const column of this.shown) {
      column.rows.forEach((row, index) => {
        const key = `${column.key} ${row.id}`
        starts.set(key, [still ? index : (this.places.get(key) ?? index), index])
      })
    }
    this.measure()
    const begun = performance.now()
    const step = (now) => {
      const part = Math.min(Math.max((now - begun) / MOVE_MS, 0), 1)
      const eased = 1 - (1 - part) ** 3
      for (const [key, [from, to]] of starts) this.places.set(key, from + (to - from) * eased)
      this.draw()
      if (part < 1) this.frame = requestAnimationFrame(step)
    }
    const moving = [...starts.values()].some(([from, to]) => from !== to)
    step(moving ? begun : begun + MOVE_MS)
  }

  measure() {
    this.pitch = this.grid.querySelector(".rows > li")?.offsetHeight ?? 0
    for (const column of this.shown) {
      const view = this.columns.get(column.key)
      view.left = view.node.offsetLeft
      view.right = view.left + view.node.offsetWidth
      view.top = view.node.offsetTop + view.list.offsetTop
    }
  }

  draw() {
    for (const column of this.shown) {
      for (const [id, { item }] of this.columns.get(column.key).rows) {
        item.style.transform = `translateY(${this.places.get(`${column.key} ${id}`) * this.pitch}px)`
      }
    }
    const used = new Set()
    for (let index = 0; index + 1 < this.shown.length; index += 1) {
      this.between(this.shown[index], this.shown[index + 1], used)
    }
    for (const [key, link] of this.links) {
      if (used.has(key)) continue
      link.path.remove()
      link.label?.remove()
      this.links.delete(key)
    }
  }

  between(left, right, used) {
    if (left.state !== "ready" || right.state !== "ready") return
    const [from, to] = [this.columns.get(left.key), this.columns.get(right.key)]
    for (const { id } of left.rows) {
      const key = `${left.key} ${right.key} ${id}`
      used.add(key)
      const y = this.middle(left, from, id)
      if (to.rows.has(id)) this.curve(key, id, from.right, y, to.left, this.middle(right, to, id))
      else this.stub(key, id, right.ends[id], from.right, y, 1)
    }
    for (const { id } of right.rows) {
      if (from.rows.has(id)) continue
      const key = `${left.key} ${right.key} ${id}`
      used.add(key)
      this.stub(key, id, left.ends[id], to.left, this.middle(right, to, id), -1)
    }
  }

  middle(column, view, id) {
    return view.top + (this.places.get(`${column.key} ${id}`) + 0.5) * this.pitch - this.pitch * 0.06
  }

  curve(key, id, x1, y1, x2, y2) {
    const bend = (x2 - x1) / 2
    set(this.link(key, id, "curve").path, "d", `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`)
  }

  // A line that ends in the open: the chunk's place beyond the window, a cross where it has none, a bar where it was
  // taken out.
  stub(key, id, end, x, y, side) {
    const link = this.link(key, id, end.kind)
    const tip = x + side * (end.kind === "beyond" ? 4 : 8)
    const ends = { beyond: "", absent: ` m${side * 3 - 3} -3 l6 6 m0 -6 l-6 6`, removed: " m0 -5 v10" }
    set(link.path, "d", `M${x} ${y} H${tip}${ends[end.kind]}`)
    if (end.kind !== "beyond") return
    text(link.label, side > 0 ? `→${end.text}` : `${end.text}→`)
    set(link.label, "x", String(tip + side * 2))
    set(link.label, "y", String(y))
    set(link.label, "text-anchor", side > 0 ? "start" : "end")
  }

  link(key, id, kind) {
    let link = this.links.get(key)
    if (link && link.kind !== kind) {
      link.path.remove()
      link.label?.remove()
      link = undefined
    }
    if (!link) {
      const marked = `${kind}${id === this.selected ? " on" : ""}`
      link = { id, kind, path: drawn("path", { class: marked }) }
      this.lines.append(link.path)
      if (kind === "beyond") {
        link.label = drawn("text", { class: marked })
        this.labels.append(link.label)
      }
      this.links.set(key, link)
    }
    return link
  }
}
