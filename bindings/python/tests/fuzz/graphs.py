"""Generated graphs, sessions and trainers, and objects that no constructor has made."""

import ndforge as nd

from checks import Checks


class Graphs(Checks):
    NAMES_OF_NODES = 'tanh exp sigmoid relu square sqrt abs neg maximum minimum add multiply divide softmax'.split()
    NAMES_OF_NODES += 'reduce_sum reduce_mean matmul concat'.split()

    def graphs(self):
        graph = nd.Graph()
        known = [graph.placeholder('p', self.v.pick(None, 'float32', 'float64'), self.v.pick(None, (2, 3), (None, 3), (3,)))]
        known.append(graph.variable('w', self.v.numpy(self.v.pick((3, 2), (3,), (2, 3)), 'float32')))
        known.append(self.made(graph.constant, self.v.value()))
        known = [symbol for symbol in known if symbol is not None]
        take = lambda: self.r.choice(known) if self.v.chance(0.8) else self.v.value()
        for _ in range(self.r.randrange(1, 6)):
            kind = self.r.randrange(5)
            if kind == 0:
                symbol = self.made(self.r.choice(self.BINARY), self.r.choice(known), take())
            elif kind == 1:
                symbol = self.made(self.r.choice(self.UNARY), self.r.choice(known))
            elif kind == 2:
                function, arguments, named = self.example(self.r.choice(self.NAMES))
                arguments = [take() for _ in arguments] or [take()]
                symbol = self.made(function, *arguments, **named)
            elif kind == 3:
                symbol = self.made(
                    getattr(nd, self.r.choice(self.NAMES_OF_NODES)), *(take() for _ in range(self.v.pick(1, 1, 2)))
                )
            else:
                symbol = self.made(
                    self.v.pick(
                        graph.placeholder, graph.variable, graph.constant, graph.array, graph.assign, graph.__getitem__
                    ),
                    *(self.v.pick('p', 'w', self.v.value()) for _ in range(self.v.pick(1, 2, 3))),
                )
            for one in symbol if isinstance(symbol, (list, tuple)) else [symbol]:
                if isinstance(one, nd.Symbol):
                    known.append(one)
        last = known[-1]
        feeds = (
            {
                self.v.pick('p', last, known[0], self.v.value): (
                    self.v.value() if self.v.chance(0.4) else self.v.numpy((2, 3), 'float32')
                )
            }
            if self.v.chance(0.9)
            else self.v.value()
        )
        kind = self.r.randrange(6)
        if kind < 3:
            session = self.made(nd.Session, graph, self.v.pick(None, [last], last, 'p', self.v.value()))
            if session is not None:
                for _ in range(self.v.pick(1, 2)):
                    self.made(session.run, feeds)
                self.made(str, session)
        elif kind == 3:
            gradients = self.made(nd.gradients, last, self.v.pick(['w'], [graph['w']], known, self.v.value()))
            if gradients:
                session = self.made(nd.Session, graph, gradients)
                if session is not None:
                    self.made(session.run, feeds)
        elif kind == 4:
            trainer = self.made(
                nd.Trainer,
                graph,
                last,
                self.v.pick(['w'], [graph['w']]),
                self.v.pick(nd.Adam(), nd.Sgd(), nd.RmsProp()),
                schedule=self.v.pick(
                    None, 0.1, nd.Schedule.cosine(1.0, 5), lambda step: 0.1, lambda step: 'x', self.v.value()
                ),
                clip=self.v.pick(None, ('norm', 1.0), self.v.value()),
            )
            if trainer is not None:
                self.made(trainer.step, feeds)
                self.made(trainer.step, feeds)
        else:
            self.made(graph.save, 'g.fb')
            self.made(nd.Graph.load, self.v.pick('g.fb', 'none.fb'))
        self.made(str, graph)
        known.clear()

    def objects(self):
        """Objects that no constructor has made, and attributes of all objects."""
        cls = self.v.pick(
            nd.NDArray, nd.DType, nd.Graph, nd.Symbol, nd.Session, nd.Trainer, nd.Updater, nd.Schedule, nd.Function
        )
        kind = self.r.randrange(3)
        made = None
        if kind == 0:
            made = self.made(cls.__new__, cls)
        elif kind == 1:
            made = self.made(cls, *(self.v.value() for _ in range(self.v.pick(0, 1, 2))))
        if made is None:
            made = self.v.pick(
                nd.softmax,
                nd.float32,
                nd.Graph(),
                nd.Graph().placeholder('x', 'float32', (2,)),
                nd.Sgd(),
                nd.Schedule.cosine(1.0, 5),
                self.v.array(),
            )
        names = [
            name for name in dir(made) if name not in ('__class__', '__init_subclass__', '__subclasshook__', '__init__')
        ]
        name = self.r.choice(names)
        attribute = self.made(getattr, made, name)
        if callable(attribute) and name not in ('save', 'save_graph'):
            self.made(attribute, *(self.v.value() for _ in range(self.v.pick(0, 0, 1, 2))))
        if self.v.chance(0.3):
            self.made(setattr, made, name, self.v.value())
        if self.v.chance(0.3):
            self.made(self.r.choice(self.UNARY), made)
        if self.v.chance(0.3):
            self.made(self.r.choice(self.BINARY), made, self.v.value())
